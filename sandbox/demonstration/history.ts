import type { Kysely } from 'kysely';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../src/domain/kinds/kinds.ts';
import { readRetrievals } from '../../src/domain/lifecycle/gets.ts';
import type { Database } from '../../src/store/schema.ts';
import type { EventName } from '../simulator/kinds/kinds.ts';
import { createStream, type Stream } from '../simulator/random.ts';
import type { Simulator } from '../simulator/simulator.ts';

/** Events of an order that was shipped, with the least and the greatest number of minutes after the one before. */
export const course: readonly (readonly [EventName, number, number])[] = [
  ['OrderCreate', 0, 0],
  ['OrderFullyAllocated', 1, 9],
  ['OrderPickJobDone', 15, 75],
  ['OrderPackStarted', 2, 12],
  ['OrderPackComplete', 2, 10],
  ['OrderConfirm', 3, 28],
];

/** Longest time that the course takes, in minutes. */
const LONGEST = course.reduce((sum, [, , most]) => sum + most, 0);

const MINUTE_MS = 60_000;

/** Hours of the day that is told, and how busy each is. */
const busyness = [1, 2, 4, 6, 7, 5, 4, 6, 8, 7, 4, 2];

/** Orders whose events are sent at the same time. */
const AT_ONCE = 4;

/** Times of the events of each order, in milliseconds since the epoch, by the order's id. */
type Day = ReadonlyMap<string, readonly number[]>;

/**
 * Plays a day on which orders were shipped, so that the figures of a day have something to show. Its events have times of that day; what
 * came of them is stored as of now, until {@link backdate} changes that.
 */
export async function playDay(
  { createOrder, emit }: Pick<Simulator, 'createOrder' | 'emit'>,
  count: number,
  signal: AbortSignal,
): Promise<Day> {
  const stream = createStream(1, 'a day');
  const queue = Array.from({ length: count }, () => planOrder(stream)).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  const day = new Map<string, readonly number[]>();
  const playInTurn = async () => {
    for (let times = queue.shift(); times && !signal.aborted; times = queue.shift()) {
      const id = createOrder({ created: times[0] ?? 0 });
      day.set(id, times);
      for (const [index, [name]] of course.entries()) await emit(id, name, { time: times[index] ?? 0 });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playInTurn));
  return day;
}

const hours = busyness.flatMap((weight, hour) => Array.from({ length: weight }, () => hour)) as [number, ...number[]];

/** Returns the times of an order's events. */
function planOrder(stream: Stream): readonly number[] {
  const minutesAgo = LONGEST + (busyness.length - stream.pick(hours)) * 60 - stream.between(1, 59);
  let at = Date.now() - minutesAgo * MINUTE_MS;
  return course.map(([, least, most]) => {
    at += stream.between(least * 60, most * 60) * 1000;
    return at;
  });
}

/** Time from an event to its webhook, to its announcement, and to the answer of its receiver, in milliseconds. */
const WEBHOOK_MS = 700;
const RECORDED_MS = 900;
const SENT_MS = 1050;

/** Stores what came of a day's orders as of that day: each order's nth webhook and announcement are of its nth event. */
export async function backdate(db: Kysely<Database>, day: Day): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const [id, times] of day) await backdateOrder(trx, id, times);
  });
}

async function backdateOrder(db: Kysely<Database>, id: string, times: readonly number[]): Promise<void> {
  const stored = db.selectFrom('subjects').select(['tenant', 'retrievals']).where('subject_id', '=', id);
  const { tenant = '', retrievals } = (await stored.executeTakeFirst()) ?? {};
  const key = subjectKey({ tenant, kind: mainKind, id });
  const webhooks = await db.selectFrom('inbox').select('id').where('subject_key', '=', key).orderBy('id').execute();
  for (const [index, row] of webhooks.entries()) {
    const at = times[index] ?? 0;
    const received = { received_at: at + WEBHOOK_MS, observed_at: at + RECORDED_MS };
    await db.updateTable('inbox').set(received).where('id', '=', row.id).execute();
  }
  const made = await db
    .selectFrom('announcements')
    .select('id')
    .where(({ and }) => and({ tenant, kind: mainKind, subject_id: id }))
    .orderBy('revision')
    .execute();
  for (const [index, { id: announcement }] of made.entries()) {
    const at = times[Math.min(index, times.length - 1)] ?? 0;
    const recorded = at + RECORDED_MS;
    const sent = at + SENT_MS + ((index * 37) % 160);
    await db.updateTable('announcements').set({ created_at: recorded }).where('id', '=', announcement).execute();
    await db
      .updateTable('outbox')
      .set({ created_at: recorded, tried_since: recorded, sent_at: sent })
      .where('announcement', '=', announcement)
      .where('sent_at', 'is not', null)
      .execute();
    await db.updateTable('attempts').set({ at: sent }).where('announcement', '=', announcement).execute();
  }
  const [first = 0] = times;
  const last = times.at(-1) ?? first;
  // An order's events were recorded together, after GETs that were made for all of them.
  const gets = readRetrievals(retrievals).map((it) => ({ ...it, at: last + RECORDED_MS }));
  const dates = { created_at: first + RECORDED_MS, stage_since: last + RECORDED_MS, updated_at: last + RECORDED_MS };
  await db
    .updateTable('subjects')
    .set({ ...dates, retrievals: JSON.stringify(gets) })
    .where('tenant', '=', tenant)
    .where('subject_id', '=', id)
    .execute();
}
