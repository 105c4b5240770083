import { forecast, inTurn, isNotified, learn, standingAt } from '../../src/domain/deadlines/forecast.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Month, START } from './month.ts';

/** Forecast of an order some time before its truck left, and the outcome. */
interface Verdict {
  readonly day: number;
  readonly isNotified: boolean;
  readonly isMissed: boolean;
}

export interface Score {
  readonly open: number;
  readonly notified: number;
  readonly missed: number;
  /** Notified, and missed. */
  readonly hits: number;
}

export interface Measured {
  /** By the time ahead in milliseconds. */
  readonly verdicts: ReadonlyMap<number, readonly Verdict[]>;
  /** Each order of which it was told: how often it was told or taken back, and whether it missed its truck. */
  readonly notified: readonly { readonly changes: number; readonly isMissed: boolean }[];
}

export const scoreOf = (verdicts: readonly Verdict[]): Score => ({
  open: verdicts.length,
  notified: verdicts.filter(({ isNotified }) => isNotified).length,
  missed: verdicts.filter(({ isMissed }) => isMissed).length,
  hits: verdicts.filter(({ isNotified, isMissed }) => isNotified && isMissed).length,
});

/** Time between two looks; each hour it learns anew from a part of what was shipped. */
const LOOK_MS = 15 * MINUTE_MS;
const READ = 4000;

/** Looks at the open orders of each working day as Dockline does, and judges what was said some time ahead of each truck. */
export function measure(
  { orders }: Month,
  { from, days, aheads }: { readonly from: number; readonly days: number; readonly aheads: readonly number[] },
): Measured {
  const known = new Map<number, { readonly changes: number; readonly isMissed: boolean }>();
  const verdicts = new Map(aheads.map((ahead): [number, Verdict[]] => [ahead, []]));
  let experience = learn([], START);
  for (let at = START + from * DAY_MS; at < START + days * DAY_MS; at += LOOK_MS) {
    const day = Math.floor((at - START) / DAY_MS);
    const hour = (at % DAY_MS) / HOUR_MS;
    if (day % 7 >= 5 || hour < 9 || hour > 18) continue;
    if (at % HOUR_MS === 0) {
      const shipped = orders.filter(({ shippedAt }) => shippedAt <= at && shippedAt > at - 28 * DAY_MS);
      const every = Math.ceil(shipped.length / READ);
      const read = shipped.filter(({ id }) => id % every === 0);
      experience = learn(read, at, 1 / every);
    }
    const open = orders.filter(({ waited, shippedAt }) => (waited.allocate ?? at) < at && shippedAt > at);
    const [turns = []] = inTurn(open.map((it) => ({ ...it, ...standingAt(it, at) })));
    for (const [ahead, order] of turns.entries()) {
      const { id, dueAt, shippedAt } = order;
      if (dueAt === null || dueAt <= at) continue;
      const before = known.get(id)?.changes ?? 0;
      const { changes } = forecast(experience, order, { ahead, at, changes: before }) ?? {
        changes: before,
      };
      known.set(id, { changes, isMissed: shippedAt > dueAt });
      verdicts.get(dueAt - at)?.push({ day, isNotified: isNotified(changes), isMissed: shippedAt > dueAt });
    }
  }
  return { verdicts, notified: [...known.values()].filter(({ changes }) => changes > 0) };
}
