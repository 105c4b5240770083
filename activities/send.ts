import { setTimeout as pause } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { customersNamedBy } from '../src/domain/catalogue/record-customer.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError, messageOf } from '../src/domain/errors.ts';
import { contradicts, isContradicted } from '../src/domain/lifecycle/customers.ts';
import type { AnnouncementResult, LeasedAnnouncement, Outgoing, Receipt } from '../src/domain/outgoing.ts';
import { permit } from '../src/domain/permission.ts';
import { nameIn } from '../src/domain/routing.ts';
import type { ActivityDeps } from './ports/deps.ts';

/** Result of an exchange: `settled` if the announcement is dead-lettered. */
type Exchanged = AnnouncementResult | SendFailure | 'settled';

/** Result of sending an announcement: `settled` also if it was acknowledged before; `held` while its destination is paused. */
export type Sent = Exchanged | 'held';

/** Failure to send an announcement that is to be tried again. */
export interface SendFailure {
  readonly id: string;
  readonly error: unknown;
  /** Number of attempts, this one included. */
  readonly attempts: number;
  /** Time at which it is to be dead-lettered, in milliseconds since the epoch. */
  readonly giveUpAt: number;
}

/** Reports whether an announcement was not acknowledged. */
export const isFailure = (sent: Sent): sent is SendFailure => typeof sent === 'object' && 'error' in sent;

/** Reports whether the destination rejected this one announcement. */
export const isRejection = ({ error }: Pick<SendFailure, 'error'>): boolean =>
  error instanceof DocklineError && error.code === 'ERR_DESTINATION_REFUSED';

/** Time by which a lease is longer than the timeout of an exchange, in milliseconds. */
const LEASE_MARGIN_MS = 5_000;

/** Interval at which a lease of another process is checked, in milliseconds. */
const LEASE_POLL_MS = 100;

/** Returns the duration of a lease, in milliseconds. */
export const leaseMsOf = ({ announceTimeoutMs }: Pick<ActivityDeps, 'announceTimeoutMs'>): number =>
  announceTimeoutMs + LEASE_MARGIN_MS;

/** Sends an announcement as soon as no other process holds its lease. */
export async function sendOne(deps: ActivityDeps, { tenant }: SubjectRef, outgoing: Outgoing): Promise<Sent> {
  const signal = cancellationSignal();
  for (;;) {
    signal.throwIfAborted();
    const leased = await deps.outbox.lease(outgoing, leaseMsOf(deps));
    if (leased === undefined) return 'settled';
    if (leased === 'held') return leased;
    if (leased !== 'leased') return await send(deps, tenant, await withLateRecord(deps, leased));
    await pause(LEASE_POLL_MS);
  }
}

/** Adds the record that an announcement was recorded without, if a later delivery of its event has it. */
async function withLateRecord(
  { lateRecord, inbox, outbox, readPayload }: ActivityDeps,
  announcement: LeasedAnnouncement,
): Promise<LeasedAnnouncement> {
  const eventId = lateRecord.lackedBy(announcement);
  const carrier = eventId === undefined ? undefined : await inbox.carrierOf(eventId);
  const record = carrier && readPayload(carrier.body);
  if (record === undefined || isContradicted(carrier?.event, announcement.customerId)) return announcement;
  if (customersNamedBy(record).some((named) => contradicts(named, announcement.customerId))) return announcement;
  const body = lateRecord.added(announcement, record);
  await outbox.replace(announcement.id, body);
  return { ...announcement, body };
}

/** Sends a leased announcement. An exchange is never aborted: nobody would know whether the destination received it. */
export function send(deps: ActivityDeps, tenant: string, announcement: LeasedAnnouncement): Promise<Exchanged> {
  const exchange = exchangeWith(deps, tenant, announcement);
  // At a stop, or after its timeout, the activity may end before.
  deps.inBackground(exchange);
  return exchange;
}

async function exchangeWith(deps: ActivityDeps, tenant: string, announcement: LeasedAnnouncement): Promise<Exchanged> {
  const { id, destination, triedSince, attempts } = announcement;
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  const giveUpAt = triedSince + deps.announceForMs;
  let receipt: Receipt;
  let name = nameIn(destination);
  try {
    let receiver = await deps.destinationOf(tenant, destination);
    // It may want since a moment ago what it did not want before.
    if (!permit(receiver.filter, announcement))
      receiver = await deps.destinationOf(tenant, destination, { isLatest: true });
    name = receiver.name;
    const permitted = permit(receiver.filter, announcement);
    if (!permitted) return await withdraw(deps, announcement);
    receipt = await receiver.send(permitted, NEVER);
  } catch (error) {
    const message = messageOf(error);
    const { status = null, exchange } = error instanceof DocklineError ? error : {};
    const outcome = isRejection({ error }) ? 'refused' : 'failed';
    const ms = since();
    await deps.outbox.failed(announcement, { outcome, status, ms, error: message, exchange });
    if (outcome === 'failed') await deps.destinationWatch.failed({ tenant, id: destination }, error);
    else await deps.destinationWatch.succeeded({ tenant, id: destination });
    deps.observer?.sent({ tenant, destination: name, outcome, ms, triedSince });
    if (Date.now() < giveUpAt) return { id, error, attempts: attempts + 1, giveUpAt };
    await deps.outbox.deadLetter(announcement, message);
    deps.observer?.deadLettered(tenant, name);
    return 'settled';
  }
  const ms = since();
  await deps.outbox.sent(announcement, { ...receipt, ms });
  await deps.destinationWatch.succeeded({ tenant, id: destination });
  deps.observer?.sent({ tenant, destination: name, outcome: 'delivered', ms, triedSince });
  // A workflow keeps it, so that it is without the receiver's words.
  const { exchange: _, ...acknowledgment } = receipt;
  return { id, ...acknowledgment, ms, attempts: attempts + 1 };
}

/** Takes out what was to go to somebody who may not have it now. */
async function withdraw({ outbox }: ActivityDeps, { id, destination }: LeasedAnnouncement): Promise<'settled'> {
  await outbox.withdraw({ id, destination });
  return 'settled';
}

const NEVER = new AbortController().signal;
