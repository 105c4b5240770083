import { parseArgs } from 'node:util';
import { z } from 'zod';
import { databasesOf } from './fault.ts';
import { faults } from './faults.ts';
import type { FaultRun } from './run-fault.ts';

/** What the command line asks for. */
export interface FaultsOptions {
  /** In the order of the table. */
  readonly runs: readonly FaultRun[];
  readonly rounds: number;
  readonly seconds: number;
  readonly quietMs: number;
  /** Decides on the random moments. */
  readonly seed: number;
  /** Print one JSON object as the last line; progress goes to standard error. */
  readonly json: boolean;
  /** Only name the faults. */
  readonly list: boolean;
  readonly help: boolean;
}

/** What `--help` prints. */
export const usage = `Usage: npm run faults -- [options]

Runs Dockline in processes of its own, lets things go wrong under load, and compares what was accepted with what was announced.

  --only NAME    only this fault, or NAME/sqlite or NAME/postgres; may be given several times
  --rounds N     how often something is killed or told to stop (default 20)
  --seconds N    how long an outage lasts (default 60)
  --quick        2 rounds and 5 seconds, where not said otherwise
  --seed N       decides on the random moments (by default another one each time; it is printed)
  --json         print one JSON object as the last line
  --list         print the names of the faults
  --help         print this

DOCKLINE_TEST_DATABASE_URL is the PostgreSQL server to make databases on (default postgres://postgres@127.0.0.1:5432/postgres);
where there is none, what needs it is skipped.`;

const thorough = { rounds: 20, seconds: 60, quietMs: 10_000 };
const quick = { rounds: 2, seconds: 5, quietMs: 2_000 };

/** Parses the command line. Throws an Error with a message for the user. */
export function parseFaultsOptions(args: readonly string[], randomSeed: () => number): FaultsOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      seed: { type: 'string' },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const defaults = values.quick ? quick : thorough;
  const { json, list, help } = values;
  return {
    runs: chooseRuns(values.only),
    rounds: read('rounds', values.rounds) ?? defaults.rounds,
    seconds: read('seconds', values.seconds) ?? defaults.seconds,
    quietMs: defaults.quietMs,
    seed: read('seed', values.seed) ?? randomSeed(),
    ...{ json, list, help },
  };
}

const numberSchema = z.coerce.number().int().min(1).max(1_000_000_000);

function read(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const { success, data } = numberSchema.safeParse(text);
  if (!success) throw new Error(`--${name} must be a whole number from 1`);
  return data;
}

/** Every fault with every database that it is of interest with. */
const allRuns: readonly FaultRun[] = faults.flatMap((fault) =>
  databasesOf(fault).map((database) => ({ fault, database })),
);

const namesOf = ({ fault, database }: FaultRun): readonly string[] => [fault.name, `${fault.name}/${database}`];

function chooseRuns(names: readonly string[]): readonly FaultRun[] {
  const unknown = names.find((name) => !allRuns.some((run) => namesOf(run).includes(name)));
  if (unknown !== undefined) throw new Error(`--only: there is no fault ${unknown}; --list names them all`);
  if (names.length === 0) return allRuns;
  return allRuns.filter((run) => namesOf(run).some((name) => names.includes(name)));
}
