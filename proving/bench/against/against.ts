import { formatTable } from '../../../src/cli/output.ts';
import { openSystem, type System } from '../comparison/system.ts';
import type { Environment } from '../fixture.ts';
import { sumVerdicts, type Verdict } from '../ledger.ts';
import { format, type Measured, median, summarize } from '../statistics.ts';
import { steps } from '../workload.ts';
import { checkOut } from './checkout.ts';

/** Installation that both versions are measured in. */
const installations = (['sqlite', 'postgres'] as const).flatMap((database) =>
  (['inline', 'regular'] as const).map((mode) => ({ database, mode })),
);

type Installation = (typeof installations)[number];

/** Latencies of GETs, in milliseconds. */
const LATENCIES = [0, 150] as const;

/** Figures of one pass. */
const figures = {
  eventsPerSecond: 'events per second',
  p99Ms: 'p99 of answers, ms',
  processMs: 'processor time of Dockline per event, ms',
  temporalMs: "processor time of Temporal's server per event, ms",
} as const;

type Figure = keyof typeof figures;

type Pass = Readonly<Record<Figure, number>>;

/** Ratio of this version to the other one, in one installation. */
export interface AgainstRow extends Installation {
  readonly getMs: number;
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
  { orders, rounds }: { readonly orders: number; readonly rounds: number },
  environment: Environment,
): Promise<AgainstResults> {
  await using opened = new AsyncDisposableStack();
  environment.say(`checking out ${commit}`);
  const other = await checkOut(commit, opened);
  const rows: AgainstRow[] = [];
  const verdicts: Verdict[] = [];
  for (const installation of installations) {
    if (installation.database === 'postgres' && environment.postgresServer === undefined) continue;
    const passes: { readonly here: readonly Pass[]; readonly there: readonly Pass[] }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      environment.say(`${other.commit} and this version, ${inWords(installation)}, round ${round} of ${rounds}`);
      const measure = async (program?: URL) => {
        const { verdict, figures: measured } = await measureOnce({ ...installation, program, orders }, environment);
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
  { database, mode, program, orders }: Installation & { readonly program: URL | undefined; readonly orders: number },
  environment: Environment,
) {
  await using opened = new AsyncDisposableStack();
  const contender = { program, database, env: { TEMPORAL_ACTIVITIES: mode } };
  const system = await openSystem(contender, environment, opened);
  await system.load('16', orders);
  const measured: Pass[] = [];
  for (const getMs of LATENCIES) {
    system.slowDown({ getMs, destinationMs: 0 });
    measured.push(await measurePass(system, orders));
  }
  return { figures: measured, verdict: system.verdict() };
}

async function measurePass(system: System, orders: number): Promise<Pass> {
  const before = await system.processorTimes();
  const { eventsPerSecond, p99Ms } = await system.load('16', orders);
  const after = await system.processorTimes();
  const perEvent = (part: keyof typeof before) => (after[part] - before[part]) / (orders * steps.length);
  return { eventsPerSecond, p99Ms, processMs: perEvent('contender'), temporalMs: perEvent('temporal') };
}

function rowsOf(
  installation: Installation,
  passes: readonly { readonly here: readonly Pass[]; readonly there: readonly Pass[] }[],
): AgainstRow[] {
  return LATENCIES.flatMap((getMs, index) =>
    (Object.keys(figures) as Figure[]).map((figure) => {
      const of = (side: 'here' | 'there') => passes.map((round) => round[side][index]?.[figure] ?? Number.NaN);
      const [here, there] = [of('here'), of('there')];
      const ratio = summarize(here.map((value, round) => value / (there[round] ?? Number.NaN)));
      return { ...installation, getMs, figure, here: median(here), there: median(there), ratio };
    }),
  );
}

const inWords = ({ database, mode }: Installation): string =>
  `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${mode}`;

/** Formats the ratios with their spread. */
export const reportAgainst = ({ commit, rows }: AgainstResults): string =>
  formatTable([
    [`this version and ${commit}`, 'GET', '', 'here', commit, 'ratio', 'min–max'],
    ...rows.map(({ getMs, figure, here, there, ratio, ...installation }) => [
      inWords(installation),
      `${getMs} ms`,
      figures[figure],
      format(here),
      format(there),
      format(ratio.median),
      `${format(ratio.min)}–${format(ratio.max)}`,
    ]),
  ]);
