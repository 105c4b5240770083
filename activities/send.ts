import { setTimeout as pause } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError, messageOf } from '../src/domain/errors.ts';
import type {
  AnnouncementResult,
  AttemptOutcome,
  LeasedAnnouncement,
  Outgoing,
  Receipt,
} from '../src/domain/outgoing.ts';
import { permit } from '../src/domain/permission.ts';
import { askedWait } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';

/** `settled`: dead-lettered. */
type Exchanged = AnnouncementResult | SendFailure | 'settled';

/** `settled` also if it was acknowledged before; `held` while its destination is paused. */
export type Sent = Exchanged | 'held';

export interface SendFailure {
  readonly id: string;
  readonly error: unknown;
  readonly attempts: number;
  readonly giveUpAt: number;
  /** Set if nothing has failed: the destination has asked to wait, or is still to answer. */
  readonly quietMs?: number;
}

export const isFailure = (sent: Sent): sent is SendFailure => typeof sent === 'object' && 'error' in sent;

export const isRejection = ({ error }: Pick<SendFailure, 'error'>): boolean =>
  error instanceof DocklineError && error.code === 'ERR_DESTINATION_REFUSED';

const LEASE_MARGIN_MS = 5_000;

const LEASE_POLL_MS = 100;

export const leaseMsOf = ({ announceTimeoutMs }: Pick<ActivityDeps, 'announceTimeoutMs'>): number =>
  announceTimeoutMs + LEASE_MARGIN_MS;

export async function sendOne(deps: ActivityDeps, { tenant }: SubjectRef, outgoing: Outgoing): Promise<Sent> {
  const signal = cancellationSignal();
  for (;;) {
    signal.throwIfAborted();
    const leased = await deps.outbox.lease(outgoing, leaseMsOf(deps));
    if (leased === undefined) return 'settled';
    if (leased === 'held') return leased;
    if (typeof leased === 'object' && 'quietMs' in leased)
      return {
        id: outgoing.id,
        error: new Error('the destination asked to wait'),
        attempts: 0,
        giveUpAt: Infinity,
        ...leased,
      };
    if (leased !== 'leased') return await send(deps, tenant, leased);
    await pause(LEASE_POLL_MS);
  }
}

/** An exchange is never aborted: nobody would know whether the destination received it. */
export function send(deps: ActivityDeps, tenant: string, announcement: LeasedAnnouncement): Promise<Exchanged> {
  const exchange = exchangeWith(deps, tenant, announcement);
  // At a stop, or after its timeout, the activity may end before.
  deps.inBackground(exchange);
  return exchange;
}

async function exchangeWith(deps: ActivityDeps, tenant: string, announcement: LeasedAnnouncement): Promise<Exchanged> {
  const { id, destination, triedSince, attempts, isFirst = false } = announcement;
  const place = { tenant, id: destination };
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  const giveUpAt = triedSince + deps.announceForMs;
  let receipt: Receipt;
  const end = async (ms: number, outcome: AttemptOutcome, error?: unknown) => {
    const isFailed = outcome === 'failed';
    await deps.outbox.quiet(place, isFailed ? askedWait(error, deps.retry) : 0, isFirst);
    await (isFailed ? deps.destinationWatch.failed(place, error) : deps.destinationWatch.succeeded(place));
    deps.observer?.sent({ tenant, outcome, ms, triedSince });
  };
  try {
    let receiver = await deps.destinationOf(tenant, destination);
    // It may want since a moment ago what it did not want before.
    if (!permit(receiver.filter, announcement))
      receiver = await deps.destinationOf(tenant, destination, { isLatest: true });
    const permitted = permit(receiver.filter, announcement);
    if (!permitted) {
      await deps.outbox.withdraw({ id, destination });
      return 'settled';
    }
    receipt = await receiver.send(permitted, NEVER);
  } catch (error) {
    const message = messageOf(error);
    const { status = null, exchange } = error instanceof DocklineError ? error : {};
    const outcome = isRejection({ error }) ? 'refused' : 'failed';
    const ms = since();
    await deps.outbox.failed(announcement, { outcome, status, ms, error: message, exchange });
    await end(ms, outcome, error);
    if (Date.now() < giveUpAt) return { id, error, attempts: attempts + 1, giveUpAt };
    await deps.outbox.deadLetter(announcement, message);
    deps.observer?.deadLettered(tenant);
    return 'settled';
  }
  const ms = since();
  await deps.outbox.sent(announcement, { ...receipt, ms });
  await end(ms, 'delivered');
  // A workflow keeps it, so that it is without the receiver's words.
  const { exchange: _, ...acknowledgment } = receipt;
  return { id, ...acknowledgment, ms, attempts: attempts + 1 };
}

const NEVER = new AbortController().signal;
