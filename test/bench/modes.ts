import { pass } from './end-to-end.ts';
import type { Extent } from './extent.ts';
import { figure } from './figure.ts';
import type { Verdict } from './ledger.ts';
import type { ModeRow, ModesResult } from './results.ts';
import { medianRatio } from './rounds.ts';
import { summarize } from './statistics.ts';
import { naming, type Surroundings } from './surroundings.ts';
import { openSystem } from './system.ts';

/** What is compared; only Dockline has modes. */
type Contender = Pick<ModeRow, 'integration' | 'mode'>;

/** How long the others take to answer, and how orders are sent. */
type Situation = Pick<ModeRow, 'getMs' | 'destinationMs' | 'pattern'>;

/** What a contender reached in a situation, once. */
export type ModeFigure = Contender & Situation & { readonly eventsPerSecond: number };

const contenders: readonly Contender[] = [
  { integration: 'textbook', mode: null },
  { integration: 'sqlite', mode: 'inline' },
  { integration: 'sqlite', mode: 'regular' },
  { integration: 'postgres', mode: 'inline' },
  { integration: 'postgres', mode: 'regular' },
];

const situations: readonly Situation[] = [
  { getMs: 0, destinationMs: 0, pattern: '16' },
  { getMs: 0, destinationMs: 0, pattern: 'burst' },
  { getMs: 150, destinationMs: 50, pattern: '16' },
  { getMs: 150, destinationMs: 50, pattern: 'burst' },
];

/** Measures both modes on both databases beside the textbook, in turn, where nobody takes time to answer and where all do. */
export async function measureModes(
  surroundings: Surroundings,
  { rounds, modes }: Pick<Extent, 'rounds' | 'modes'>,
): Promise<{ readonly result: ModesResult; readonly verdicts: readonly Verdict[] }> {
  const taking = contenders.filter(({ integration }) => integration !== 'postgres' || surroundings.hasPostgres);
  const figures: ModeFigure[] = [];
  const verdicts: Verdict[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    surroundings.say(`modes, round ${round} of ${rounds}`);
    // Whoever comes first finds another machine than the last.
    for (const one of round % 2 === 1 ? taking : taking.toReversed()) {
      const measured = await naming(nameIn(one), () => measureOne(one, surroundings, modes));
      figures.push(...measured.figures);
      // The textbook loses the order by itself, which is not ours to answer for.
      if (one.mode !== null) verdicts.push(measured.verdict);
    }
  }
  return { result: { orders: modes.orders, rows: rowsOf(figures) }, verdicts };
}

const nameIn = ({ integration, mode }: Contender): string => (mode === null ? integration : `${integration} ${mode}`);

async function measureOne(
  contender: Contender,
  surroundings: Surroundings,
  { orders, warmUpOrders }: Extent['modes'],
): Promise<{ readonly figures: readonly ModeFigure[]; readonly verdict: Verdict }> {
  await using opened = new AsyncDisposableStack();
  const { integration, mode } = contender;
  const env = mode === null ? {} : { TEMPORAL_ACTIVITIES: mode };
  const system = await openSystem(integration, { ...surroundings, env }, opened);
  const { warehouse, destination } = system.arena;
  await pass(system, '16', warmUpOrders);
  const figures: ModeFigure[] = [];
  for (const situation of situations) {
    warehouse.behave({ latencyMs: situation.getMs });
    destination.behave({ latencyMs: situation.destinationMs });
    const { eventsPerSecond } = await pass(system, situation.pattern, orders);
    figures.push({ ...contender, ...situation, eventsPerSecond });
    surroundings.say(`${nameIn(contender)}, ${inWords(situation)}: ${figure(eventsPerSecond)} events a second`);
  }
  const verdict = system.verdict();
  const { lost, duplicates, outOfOrder } = verdict;
  surroundings.say(`${nameIn(contender)}: ${lost} lost, ${duplicates} duplicates, ${outOfOrder} out of order`);
  return { figures, verdict };
}

const inWords = ({ getMs, destinationMs, pattern }: Situation): string =>
  `GET ${getMs} ms, destination ${destinationMs} ms, ${pattern === 'burst' ? 'burst' : `${pattern} at a time`}`;

/** The medians of all rounds, in each situation; ratios are taken within a round. */
export function rowsOf(figures: readonly ModeFigure[]): readonly ModeRow[] {
  return situations.flatMap((situation) => {
    const of = ({ integration, mode }: Contender) =>
      figures
        .filter((one) => one.integration === integration && one.mode === mode && isIn(one, situation))
        .map(({ eventsPerSecond }) => eventsPerSecond);
    return contenders.flatMap((contender) => {
      const rates = of(contender);
      if (rates.length === 0) return [];
      const { integration, mode } = contender;
      const toTextbook = medianRatio(rates, of({ integration: 'textbook', mode: null }));
      const toInline = mode === 'regular' ? medianRatio(rates, of({ integration, mode: 'inline' })) : null;
      return [{ ...situation, ...contender, eventsPerSecond: summarize(rates), rounds: rates, toTextbook, toInline }];
    });
  });
}

const isIn = (one: Situation, { getMs, destinationMs, pattern }: Situation): boolean =>
  one.getMs === getMs && one.destinationMs === destinationMs && one.pattern === pattern;
