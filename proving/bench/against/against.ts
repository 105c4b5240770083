import { formatTable } from '../../../src/base/text-table.ts';
import type { BenchOptions } from '../bench-options.ts';
import type { Environment } from '../fixture.ts';
import { sumVerdicts, type Verdict } from '../ledger.ts';
import { format, type Measured, median, summarize } from '../statistics.ts';
import { checkOut } from './checkout.ts';
import {
  type Figure,
  figures,
  type Installation,
  installations,
  type Load,
  type Measurement,
  measureAtOnce,
  measureInTurn,
} from './sides.ts';

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

/**
 * Measures this version and a commit, each round on fresh systems: bursts in turn, single events at once. A machine that is slower for a
 * minute slows both then, and the ratio of their processor times differs by a tenth between rounds where in turn it does by a quarter.
 */
export async function measureAgainst(
  commit: string,
  { sections, scale: { orders, rounds, steadyTurns: turns } }: Pick<BenchOptions, 'sections' | 'scale'>,
  environment: Environment,
): Promise<AgainstResults> {
  const methods = [
    ...(sections.has('comparison') ? [measureInTurn] : []),
    ...(sections.has('steady') ? [measureAtOnce] : []),
  ];
  if (methods.length === 0) throw new Error('--against measures comparison and steady only');
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
      const isFirst = round % 2 === 1;
      const programs = isFirst ? [undefined, other.program] : [other.program, undefined];
      const pass: Record<'here' | 'there', Measurement[]> = { here: [], there: [] };
      for (const method of methods) {
        const sides = await method(programs, { ...installation, orders, turns }, environment);
        const [here, there] = isFirst ? sides : sides.toReversed();
        pass.here.push(...(here?.measured ?? []));
        pass.there.push(...(there?.measured ?? []));
        if (here) verdicts.push(here.verdict);
      }
      passes.push(pass);
    }
    rows.push(...rowsOf(installation, passes));
  }
  return { commit: other.commit, rows, verdict: sumVerdicts(verdicts) };
}

/** Figures of both versions in one round. */
type Round = Readonly<Record<'here' | 'there', readonly Measurement[]>>;

function rowsOf(installation: Installation, passes: readonly Round[]): AgainstRow[] {
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
