import type { Kysely } from 'kysely';
import type { RecordFacts } from '../../../domain/catalogue/record-facts.ts';
import type { Lifecycle } from '../../../domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../domain/lifecycle/milestone.ts';
import type { Stage } from '../../../domain/lifecycle/stage.ts';
import type { Database } from '../../../store/schema.ts';

/** Rate at which orders were shipped in the last hours. */
export interface Pace {
  /** Median time from when an order reached a stage until it was shipped, in milliseconds. */
  readonly untilShipped: { readonly [S in Stage]?: number };
  /** Orders per hour, by carrier. */
  readonly perHour: ReadonlyMap<string | null, number>;
}

/** Hours that show the pace, and orders of them that are read. */
const HOURS = 6;
const READ = 300;

const HOUR_MS = 3_600_000;

/** Milestones by the stages that they begin. */
const beginnings: readonly (readonly [Stage, Milestone])[] = [
  ['created', 'created'],
  ['fullyAllocated', 'fullyAllocated'],
  ['picked', 'picked'],
  ['packing', 'packStarted'],
  ['packed', 'packed'],
];

/** Measures the pace by the orders that were shipped last. */
export async function readPace(db: Kysely<Database>, now: number): Promise<Pace> {
  const rows = await db
    .selectFrom('subjects')
    .select(['lifecycle', 'facts', 'stage_since as at'])
    .where(({ and }) => and({ kind: 'order', stage: 'confirmed' }))
    .where('stage_since', '>=', now - HOURS * HOUR_MS)
    .orderBy('stage_since', 'desc')
    .limit(READ)
    .execute();
  const shipped = rows.map(({ lifecycle, facts }) => ({
    carrier: (JSON.parse(facts ?? '{}') as RecordFacts).carrier ?? null,
    times: timesOf(JSON.parse(lifecycle) as Lifecycle),
  }));
  const since = rows.length < READ ? now - HOURS * HOUR_MS : (rows.at(-1)?.at ?? now);
  const hours = Math.max(1, (now - since) / HOUR_MS);
  const byCarrier = Map.groupBy(shipped, ({ carrier }) => carrier);
  return {
    perHour: new Map([...byCarrier].map(([carrier, all]) => [carrier, all.length / hours])),
    untilShipped: Object.fromEntries(
      beginnings.flatMap(([stage, milestone]) => {
        const took = shipped.flatMap(({ times }) => {
          const [began, over] = [times.get(milestone), times.get('confirmed')];
          return began === undefined || over === undefined ? [] : [over - began];
        });
        return took.length === 0 ? [] : [[stage, median(took)]];
      }),
    ),
  };
}

const timesOf = ({ registers }: Lifecycle): ReadonlyMap<Milestone, number> =>
  new Map(Object.values(registers).flatMap((it) => (it ? [[it.milestone, it.time]] : [])));

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Counts the orders of a truck that will not be ready when it leaves: those whose stage usually takes longer, and at least those that are
 * more than its carrier's parcels of the last hours suggest. Null where nothing was shipped.
 */
export function missesOf(
  orders: readonly { readonly stage: Stage; readonly count: number }[],
  { untilShipped, perHour }: Pace,
  { carrier, leftMs }: { readonly carrier: string | null; readonly leftMs: number },
): number | null {
  const all = orders.reduce((sum, { count }) => sum + count, 0);
  if (leftMs <= 0) return all;
  const rate = perHour.get(carrier);
  if (rate === undefined) return null;
  const tooSlow = orders.filter(({ stage }) => (untilShipped[stage] ?? untilShipped.fullyAllocated ?? 0) > leftMs);
  const byStage = tooSlow.reduce((sum, { count }) => sum + count, 0);
  return Math.max(byStage, all - Math.max(1, Math.round((rate * leftMs) / HOUR_MS)), 0);
}
