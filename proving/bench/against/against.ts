import { formatTable } from '../../../src/base/text.ts';
import type { BenchOptions } from '../bench-options.ts';
import type { Environment } from '../fixture.ts';
import { sumVerdicts, type Verdict } from '../ledger.ts';
import { format, type Measured, median, summarize } from '../statistics.ts';
import { measureRate, WARM_UP_ORDERS } from '../steady/steady.ts';
import { openSystem } from '../system.ts';
import { checkOut } from './checkout.ts';

/** Installation that both versions are measured in. */
const installations = (['sqlite', 'postgres'] as const).flatMap((database) =>
  (['inline', 'regular'] as const).map((mode) => ({ database, mode })),
);

type Installation = (typeof installations)[number];

/** Single events a second for each version. Two cores are then nearly full. */
const PER_SECOND = 25;

const figures = {
  answerP99Ms: 'p99 of answers, ms',
  p50Ms: 'p50 until announced, ms',
  p99Ms: 'p99 until announced, ms',
  processMs: 'processor time of Dockline per event, ms',
  temporalMs: "processor time of Temporal's server per event, ms",
  memoryMb: 'memory of Dockline, MB',
} as const;

type Figure = keyof typeof figures;

/** Ratio of this version to the other one, in one installation. */
interface AgainstRow extends Installation {
  readonly figure: Figure;
  readonly here: number;
  readonly there: number;
  readonly ratio: Measured;
}

/** Results of both versions. */
interface AgainstResults {
  readonly commit: string;
  readonly rows: readonly AgainstRow[];
  readonly verdict: Verdict;
}

/**
 * Measures this version and a commit at once, each round on fresh systems. A machine that is slower for a minute slows both then, and the
 * ratio of their processor times differs by a tenth between rounds where in turn it does by a quarter.
 */
export async function measureAgainst(
  commit: string,
  { rounds, steadyTurns }: BenchOptions['scale'],
  environment: Environment,
): Promise<AgainstResults> {
  await using opened = new AsyncDisposableStack();
  environment.say(`checking out ${commit}`);
  const other = await checkOut(commit, opened);
  const rows: AgainstRow[] = [];
  const verdicts: Verdict[] = [];
  for (const installation of installations) {
    if (installation.database === 'postgres' && environment.postgresServer === undefined) continue;
    const passes: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      environment.say(`${other.commit} and this version, ${inWords(installation)}, round ${round} of ${rounds}`);
      // Alternates the order, since the first finds another machine than the last.
      const programs = round % 2 === 1 ? [undefined, other.program] : [other.program, undefined];
      const sides = await measureAtOnce(programs, { ...installation, turns: steadyTurns }, environment).catch(
        (error: Error): Pass[] => {
          // Rounds before it are worth keeping.
          environment.say(`left out: ${error.message}`);
          return [];
        },
      );
      const [here, there] = round % 2 === 1 ? sides : sides.toReversed();
      if (!here || !there) continue;
      passes.push({ here, there });
      verdicts.push(here);
    }
    if (passes.length > 0) rows.push(...rowsOf(installation, passes));
  }
  return { commit: other.commit, rows, verdict: sumVerdicts(verdicts) };
}

type Pass = Awaited<ReturnType<typeof measureRate>>;

/** Figures of both versions in one round. */
type Round = Readonly<Record<'here' | 'there', Pass>>;

/** Measures versions, of which undefined is this one, at the same time. */
async function measureAtOnce(
  programs: readonly (URL | undefined)[],
  { database, mode, turns }: Installation & { readonly turns: number },
  environment: Environment,
): Promise<readonly Pass[]> {
  await using opened = new AsyncDisposableStack();
  const systems = await Array.fromAsync(programs, (program) =>
    openSystem({ program, database, env: { TEMPORAL_ACTIVITIES: mode } }, environment, opened),
  );
  // At once, too: V8 gives back what a system that waits does not use, and takes a while to have it again.
  await Promise.all(systems.map((system) => system.load('16', WARM_UP_ORDERS)));
  const passes = systems.map(async (system, index) => {
    const name = programs[index] ? 'the other version' : 'this version';
    return await measureRate(system, PER_SECOND, turns).catch((cause: Error) => {
      throw new Error(`${name}: ${cause.message}`, { cause });
    });
  });
  return await Promise.all(passes);
}

const rowsOf = (installation: Installation, rounds: readonly Round[]): AgainstRow[] =>
  (Object.keys(figures) as Figure[]).map((figure) => {
    const of = (side: keyof Round) => rounds.map((round) => round[side][figure]);
    const ratio = summarize(rounds.map(({ here, there }) => here[figure] / there[figure]));
    return { ...installation, figure, here: median(of('here')), there: median(of('there')), ratio };
  });

const inWords = ({ database, mode }: Installation): string =>
  `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${mode}`;

/** Formats the ratios with their spread. */
export const reportAgainst = ({ commit, rows }: AgainstResults): string =>
  formatTable([
    [`single events, ${PER_SECOND} a second, of this version and ${commit}`, '', 'here', commit, 'ratio', 'min–max'],
    ...rows.map(({ figure, here, there, ratio, ...installation }) => [
      inWords(installation),
      figures[figure],
      format(here),
      format(there),
      format(ratio.median),
      `${format(ratio.min)}–${format(ratio.max)}`,
    ]),
  ]);
