import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ActivityDeps } from '../../activities/ports/deps.ts';
import type { Store } from '../../src/app/store.ts';
import { announcedRecord, changedSince, createAdvise } from '../../src/destinations/announcements/advice.ts';
import { createAnnouncement } from '../../src/destinations/announcements/cloud-event.ts';
import type { WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import { type SubjectRef, subjectKey } from '../../src/domain/catalogue/subject.ts';
import { sayReason } from '../../src/domain/quarantine.ts';
import { quarantinedRows, readReason, reasonColumns, type StoredReason } from '../../src/inbox/tables/quarantined.ts';
import { readPayload } from '../../src/ingress/message/parts.ts';
import { createDeadlines } from '../../src/subjects/deadlines.ts';
import { createBreaker } from '../../src/warehouse/breaker.ts';
import { Flights } from '../../src/warehouse/client/flight.ts';

/** Environment of an activity, which does not log its failures. */
export function quietEnvironment(info: ConstructorParameters<typeof MockActivityEnvironment>[0] = {}) {
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
  return {
    run: <Args extends unknown[], Output>(activity: (...args: Args) => Promise<Output>, ...args: Args) =>
      environment.run(activity, ...args) as Promise<Output>,
    cancel: () => environment.cancel(),
  };
}

export const retry = { slowMs: 60_000, retryAfterCapMs: 600_000, random: () => 0 };

const nobody = (): never => {
  throw new Error('this test has neither a warehouse nor a destination');
};

/** Dependencies of the activities on a store; without a warehouse and a destination unless they are given. */
export const depsOn = (store: Store, rest: Partial<ActivityDeps> = {}): ActivityDeps => ({
  retrieving: () => ({ [Symbol.dispose]() {} }),
  warehouseOf: nobody,
  destinationOf: nobody,
  compose: createAnnouncement,
  readPayload,
  announcedRecord,
  advise: createAdvise(),
  changedSince,
  resources: store.resources,
  subjects: store.subjects,
  deadlines: createDeadlines([]),
  outbox: store.outbox,
  activityFailures: store.activityFailures,
  inbox: store.inbox,
  inBackground: (work) => void work.catch(() => undefined),
  mayInline: () => true,
  breaker: createBreaker(retry),
  flights: new Flights(),
  partWaitMs: 60_000,
  readLagMs: 0,
  announceForMs: 3_600_000,
  announceTimeoutMs: 10_000,
  destinationWatch: { enter: () => () => {}, failed: async () => {}, succeeded: async () => {} },
  outageMs: 300_000,
  retry,
  ...rest,
});

/** An event, without the subject that it is about. */
export type Delivered = Pick<WarehouseEvent, 'id' | 'name' | 'time'> &
  Partial<WarehouseEvent> & {
    /** The resource in the message, as JSON text. */
    readonly resource?: string;
    /** Milliseconds since the epoch. */
    readonly receivedAt?: number;
  };

/** Puts events of a subject into the inbox, as the webhook does; returns their ids. */
export async function deliver(
  { inbox }: Store,
  subject: SubjectRef,
  ...delivered: readonly Delivered[]
): Promise<string[]> {
  const { tenant, kind, id: subjectId } = subject;
  await inbox.add(
    delivered.map(({ resource, receivedAt = 1, ...details }) => ({
      eventId: details.id,
      endpoint: 'warehouse',
      tenant,
      subjectKey: subjectKey(subject),
      receivedAt,
      event: { ...details, tenant, subject: kind, subjectId },
      body: Buffer.from(resource === undefined ? 'not JSON' : `{"resource":{"body":${resource}}}`),
    })),
  );
  return delivered.map(({ id }) => id);
}

/** The reasons of quarantined rows, by their dedupe keys. */
export async function quarantinedIn({ db }: Store): Promise<Record<string, string | null>> {
  const rows = await quarantinedRows(db)
    .select(['event_id as id', ...reasonColumns])
    .orderBy('id')
    .$narrowType<StoredReason>()
    .execute();
  return Object.fromEntries(rows.map(({ id, ...stored }) => [id, sayReason(readReason(stored))]));
}

/** The dedupe keys of what waits for a subject. */
export const waitingFor = async ({ subjects }: Store, subject: SubjectRef): Promise<string[]> =>
  (await subjects.load(subject, 1000)).events.map(({ id }) => id);

/** Returns the record of a failing activity of a subject; null if there is none. */
export async function troubleOf({ db }: Store, subject: SubjectRef, activity: 'retrieving' | 'announcing') {
  const row = await db
    .selectFrom('subjects')
    .select(activity)
    .where('kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .executeTakeFirst();
  return JSON.parse(row?.[activity] ?? 'null');
}
