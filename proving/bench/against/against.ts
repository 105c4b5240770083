import { formatTable } from '../../../src/base/text-table.ts';
import type { BenchOptions, Section } from '../bench-options.ts';
import { openSystem, type System } from '../comparison/system.ts';
import type { Environment } from '../fixture.ts';
import { sumVerdicts, type Verdict } from '../ledger.ts';
import { format, type Measured, median, summarize } from '../statistics.ts';
import { measureRate, WARM_UP_ORDERS } from '../steady/steady.ts';
import { steps } from '../workload.ts';
import { checkOut } from './checkout.ts';

/** Installation that both versions are measured in. */
const installations = (['sqlite', 'postgres'] as const).flatMap((database) =>
  (['inline', 'regular'] as const).map((mode) => ({ database, mode })),
);

type Installation = (typeof installations)[number];

/** Loads that both are measured under, after one that warms up. */
const loads = {
  'GETs of 0 ms': (system, { orders }) => measureOrders(system, 0, orders),
  'GETs of 150 ms': (system, { orders }) => measureOrders(system, 150, orders),
  'single events, 15 a second': (system, { turns }) => measureSingle(system, 15, turns),
  'single events, 60 a second': (system, { turns }) => measureSingle(system, 60, turns),
} as const satisfies Record<string, (system: System, amount: Amount) => Promise<Pass>>;

type Load = keyof typeof loads;

/** Loads by the section of a run that has them. */
const loadsOf = {
  comparison: ['GETs of 0 ms', 'GETs of 150 ms'],
  steady: ['single events, 15 a second', 'single events, 60 a second'],
} as const satisfies Partial<Record<Section, readonly Load[]>>;

/** Orders that come 16 at a time, and turns of single events. */
interface Amount {
  readonly orders: number;
  readonly turns: number;
}

/** Figures of one pass; a load has no other than its own. */
const figures = {
  eventsPerSecond: 'events per second',
  p99Ms: 'p99 of answers, ms',
  latencyP50Ms: 'p50 until announced, ms',
  latencyP99Ms: 'p99 until announced, ms',
  processMs: 'processor time of Dockline per event, ms',
  temporalMs: "processor time of Temporal's server per event, ms",
} as const;

type Figure = keyof typeof figures;

type Pass = Readonly<Partial<Record<Figure, number>>>;

/** Figures of one load. */
interface Measurement {
  readonly load: Load;
  readonly pass: Pass;
}

/** Ratio of this version to the other one, in one installation. */
export interface AgainstRow extends Installation {
  readonly load: Load;
  readonly figure: Figure;
  readonly here: number;
  readonly there: number;
  readonly ratio: Measured;
}

/** Results of both versions. */
export interface AgainstResults {
  readonly commit: string;
  readonly rows: readonly AgainstRow[];
  readonly verdict: Verdict;
}

/** Measures this version and a commit in turn, each round on fresh systems, so that whatever slows the machine slows both. */
export async function measureAgainst(
  commit: string,
  { sections, scale: { orders, rounds, steadyTurns: turns } }: Pick<BenchOptions, 'sections' | 'scale'>,
  environment: Environment,
): Promise<AgainstResults> {
  const chosen = (Object.keys(loadsOf) as (keyof typeof loadsOf)[]).flatMap((it) =>
    sections.has(it) ? loadsOf[it] : [],
  );
  if (chosen.length === 0) throw new Error(`--against measures ${Object.keys(loadsOf).join(' and ')} only`);
  await using opened = new AsyncDisposableStack();
  environment.say(`checking out ${commit}`);
  const other = await checkOut(commit, opened);
  const rows: AgainstRow[] = [];
  const verdicts: Verdict[] = [];
  for (const installation of installations) {
    if (installation.database === 'postgres' && environment.postgresServer === undefined) continue;
    const passes: { readonly here: readonly Measurement[]; readonly there: readonly Measurement[] }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      environment.say(`${other.commit} and this version, ${inWords(installation)}, round ${round} of ${rounds}`);
      const measure = async (program?: URL) => {
        const { verdict, figures: measured } = await measureOnce(
          { ...installation, program, chosen, amount: { orders, turns } },
          environment,
        );
        if (!program) verdicts.push(verdict);
        return measured;
      };
      // Alternates the order, since the first finds another machine than the last.
      const isFirst = round % 2 === 1;
      const first = await measure(isFirst ? undefined : other.program);
      const second = await measure(isFirst ? other.program : undefined);
      passes.push(isFirst ? { here: first, there: second } : { here: second, there: first });
    }
    rows.push(...rowsOf(installation, passes));
  }
  return { commit: other.commit, rows, verdict: sumVerdicts(verdicts) };
}

async function measureOnce(
  {
    database,
    mode,
    program,
    chosen,
    amount,
  }: Installation & { readonly program: URL | undefined; readonly chosen: readonly Load[]; readonly amount: Amount },
  environment: Environment,
) {
  await using opened = new AsyncDisposableStack();
  const contender = { program, database, env: { TEMPORAL_ACTIVITIES: mode } };
  const system = await openSystem(contender, environment, opened);
  const isSteady = chosen.some((load) => loadsOf.steady.some((it) => it === load));
  await system.load('16', isSteady ? Math.max(amount.orders, WARM_UP_ORDERS) : amount.orders);
  const measured: Measurement[] = [];
  for (const load of chosen) measured.push({ load, pass: await loads[load](system, amount) });
  return { figures: measured, verdict: system.verdict() };
}

async function measureSingle(system: System, perSecond: number, turns: number): Promise<Pass> {
  system.slowDown({ getMs: 0, destinationMs: 0 });
  const { p50Ms, p99Ms, processMs, temporalMs, answerP99Ms } = await measureRate(system, perSecond, turns);
  return { p99Ms: answerP99Ms, latencyP50Ms: p50Ms, latencyP99Ms: p99Ms, processMs, temporalMs };
}

async function measureOrders(system: System, getMs: number, orders: number): Promise<Pass> {
  system.slowDown({ getMs, destinationMs: 0 });
  const before = await system.processorTimes();
  const { eventsPerSecond, p99Ms } = await system.load('16', orders);
  const after = await system.processorTimes();
  const perEvent = (part: keyof typeof before) => (after[part] - before[part]) / (orders * steps.length);
  return { eventsPerSecond, p99Ms, processMs: perEvent('contender'), temporalMs: perEvent('temporal') };
}

function rowsOf(
  installation: Installation,
  passes: readonly { readonly here: readonly Measurement[]; readonly there: readonly Measurement[] }[],
): AgainstRow[] {
  const [first] = passes;
  return (first?.here ?? []).flatMap(({ load, pass }, index) =>
    (Object.keys(figures) as Figure[]).flatMap((figure) => {
      if (pass[figure] === undefined) return [];
      const of = (side: 'here' | 'there') => passes.map((round) => round[side][index]?.pass[figure] ?? Number.NaN);
      const [here, there] = [of('here'), of('there')];
      const ratio = summarize(here.map((value, round) => value / (there[round] ?? Number.NaN)));
      return [{ ...installation, load, figure, here: median(here), there: median(there), ratio }];
    }),
  );
}

const inWords = ({ database, mode }: Installation): string =>
  `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${mode}`;

/** Formats the ratios with their spread. */
export const reportAgainst = ({ commit, rows }: AgainstResults): string =>
  formatTable([
    [`this version and ${commit}`, '', '', 'here', commit, 'ratio', 'min–max'],
    ...rows.map(({ load, figure, here, there, ratio, ...installation }) => [
      inWords(installation),
      load,
      figures[figure],
      format(here),
      format(there),
      format(ratio.median),
      `${format(ratio.min)}–${format(ratio.max)}`,
    ]),
  ]);
