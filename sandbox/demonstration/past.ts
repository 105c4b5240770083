import type { Kysely } from 'kysely';
import { mainKind } from '../../src/domain/kinds/kinds.ts';
import type { Database } from '../../src/store/schema.ts';
import { createStream } from '../simulator/random.ts';
import { carrierNames } from '../simulator/state/carriers.ts';

const MINUTE_MS = 60_000;
const DAYS = 28;
const EVERY_MS = 30 * MINUTE_MS;

/** Samples, as the table of lead times has them. */
const SAMPLES = 64;

/**
 * Stores how long orders took in the weeks before, at every hour and as on the day that is played, so that forecasts have something to compare with.
 */
export async function rememberWeeks(db: Kysely<Database>, day: readonly string[]): Promise<void> {
  const known = await db
    .selectFrom('subjects')
    .select(['tenant', 'facility_id', 'customer_id'])
    .where('subject_id', 'in', day)
    .execute();
  const stream = createStream(2, 'the weeks before');
  const until = Date.now() - 24 * 60 * MINUTE_MS;
  const rows = Array.from({ length: (DAYS * 24 * 60 * MINUTE_MS) / EVERY_MS }, (_, n) => {
    const { tenant = '', facility_id = null, customer_id = null } = known[n % known.length] ?? {};
    const minutes = (least: number, most: number) => stream.between(least, most) * MINUTE_MS;
    const closed_at = until - n * EVERY_MS;
    const ship = closed_at - minutes(5, 60);
    const pack = ship - minutes(5, 39);
    const pick = pack - minutes(15, 95);
    const allocate = pick - minutes(1, 9);
    const due_at = allocate + minutes(20, 300);
    return {
      ...{ tenant, kind: mainKind, subject_id: `past-${n}`, customer_id, facility_id },
      ...{ carrier: carrierNames[n % carrierNames.length] ?? null, closed_at, sample: n % SAMPLES },
      ...{ due_at, rule_at: due_at - 120 * MINUTE_MS, waited: JSON.stringify({ allocate, pick, pack, ship }) },
    };
  });
  for (let from = 0; from < rows.length; from += 500)
    await db
      .insertInto('lead_times')
      .values(rows.slice(from, from + 500))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
