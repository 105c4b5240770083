import { sumVerdicts, type Verdict } from '../ledger.ts';
import { type Measured, medianRatio, summarize } from '../statistics.ts';
import { meanOf, type OrderCost } from './cost.ts';
import type { Pattern } from './system.ts';

/** Integration under test. */
export interface Contender {
  readonly integration: 'textbook' | 'sqlite' | 'postgres';
  /** Execution of activities: within the workflow task, or as regular activities; null for the textbook, which has no choice. */
  readonly mode: 'inline' | 'regular' | null;
}

/** Latency of the counterparts in milliseconds, and the order in which webhooks are sent. */
export interface Situation {
  readonly getMs: number;
  readonly destinationMs: number;
  readonly pattern: Pattern;
}

/** Contenders, in the order of the rows. */
export const contenders: readonly Contender[] = [
  { integration: 'textbook', mode: null },
  { integration: 'sqlite', mode: 'inline' },
  { integration: 'sqlite', mode: 'regular' },
  { integration: 'postgres', mode: 'inline' },
  { integration: 'postgres', mode: 'regular' },
];

/** Situations, in the order of the rows. */
export const situations: readonly Situation[] = [
  { getMs: 0, destinationMs: 0, pattern: '16' },
  { getMs: 0, destinationMs: 0, pattern: '64' },
  { getMs: 0, destinationMs: 0, pattern: 'burst' },
  { getMs: 150, destinationMs: 50, pattern: '16' },
  { getMs: 150, destinationMs: 50, pattern: 'burst' },
];

/** Figures of one contender in one round, all of one system. */
export interface Run extends Contender {
  readonly loads: readonly (Situation & { readonly eventsPerSecond: number; readonly p99Ms: number })[];
  readonly latencyMs?: number;
  readonly cost?: { readonly 'one by one': OrderCost; readonly burst: OrderCost };
  readonly verdict: Verdict;
}

/** Figure of one contender beside the same figure of others. */
export interface Row extends Contender {
  readonly measured: Measured;
  readonly toTextbook: number | null;
  /** Ratio of regular activities to inline ones on the same database. */
  readonly toInline: number | null;
}

/** Results of all runs. */
export interface ComparisonResults {
  /** Events per second, from the first webhook to the last announcement. */
  readonly comparison: readonly (Row & Situation & { readonly p99Ms: Measured })[];
  /** Milliseconds from a webhook to its announcement on an idle system. */
  readonly latency: readonly Row[];
  /** Means over orders and rounds. */
  readonly cost: readonly (Contender & {
    readonly sent: 'one by one' | 'burst';
    readonly mean: OrderCost;
    readonly rounds: readonly OrderCost[];
  })[];
  /** Verdict on Dockline; the textbook loses the order by itself. */
  readonly verdict: Verdict;
}

/** Compares the runs of all rounds. */
export function compare(runs: readonly Run[]): ComparisonResults {
  return {
    comparison: situations.flatMap((situation) => rowsIn(runs, situation)),
    latency: rowsOf(runs, ({ latencyMs = [] }) => [latencyMs].flat()),
    cost: contenders.flatMap((contender) =>
      (['one by one', 'burst'] as const).flatMap((sent) => {
        const rounds = runs.flatMap((run) => (isSame(run, contender) && run.cost ? [run.cost[sent]] : []));
        return rounds.length > 0 ? [{ ...contender, sent, mean: meanOf(rounds), rounds }] : [];
      }),
    ),
    verdict: sumVerdicts(runs.filter(({ mode }) => mode !== null).map(({ verdict }) => verdict)),
  };
}

function rowsIn(runs: readonly Run[], situation: Situation): ComparisonResults['comparison'] {
  const loadsOf = ({ loads }: Run) =>
    loads.filter((load) =>
      (['getMs', 'destinationMs', 'pattern'] as const).every((key) => load[key] === situation[key]),
    );
  return rowsOf(runs, (run) => loadsOf(run).map(({ eventsPerSecond }) => eventsPerSecond)).map((row) => {
    const loads = runs.filter((run) => isSame(run, row)).flatMap(loadsOf);
    return { ...row, ...situation, p99Ms: summarize(loads.map(({ p99Ms }) => p99Ms)) };
  });
}

/** Creates a row for each contender that has the figure; ratios are taken within a round. */
function rowsOf(runs: readonly Run[], figuresOf: (run: Run) => readonly number[]): Row[] {
  const of = (contender: Contender) => runs.filter((run) => isSame(run, contender)).flatMap(figuresOf);
  return contenders.flatMap(({ integration, mode }) => {
    const figures = of({ integration, mode });
    if (figures.length === 0) return [];
    const toTextbook = medianRatio(figures, of({ integration: 'textbook', mode: null }));
    const toInline = mode === 'regular' ? medianRatio(figures, of({ integration, mode: 'inline' })) : null;
    return [{ integration, mode, measured: summarize(figures), toTextbook, toInline }];
  });
}

const isSame = (one: Contender, other: Contender): boolean =>
  one.integration === other.integration && one.mode === other.mode;
