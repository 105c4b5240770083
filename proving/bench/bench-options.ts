import { type Command, Option } from 'commander';
import { createCommand, numberOption } from '../../src/cli/command.ts';

/** Sections of a run, in the order of measurement. */
export const sections = ['steady', 'cost', 'allowed', 'board'] as const;

/** Section of a run. */
export type Section = (typeof sections)[number];

/** Amount of work. */
export interface Scale {
  readonly rounds: number;
  /** Orders of the burst whose cost is read. */
  readonly orders: number;
  /** Orders of each burst at the rate that a warehouse allows. */
  readonly allowedOrders: readonly number[];
  /** Turns of twelve seconds at each rate of single events. */
  readonly steadyTurns: number;
  /** Subjects of which the board is read, and seconds of each phase of it. */
  readonly subjects: number;
  readonly boardSeconds: number;
}

/** Scale for figures to quote. */
export const full: Scale = {
  rounds: 3,
  orders: 300,
  allowedOrders: [40, 200, 1000],
  steadyTurns: 2,
  subjects: 1_000_000,
  boardSeconds: 20,
};

/** Scale for rough figures within minutes. */
export const quick: Scale = {
  rounds: 1,
  orders: 40,
  allowedOrders: [10],
  steadyTurns: 1,
  subjects: 50_000,
  boardSeconds: 3,
};

const quickSections: readonly Section[] = ['cost', 'allowed'];

export interface BenchOptions {
  readonly sections: ReadonlySet<Section>;
  readonly scale: Scale;
  readonly quick: boolean;
  readonly json: boolean;
  /** Commit that this version is compared with, instead of everything else. */
  readonly against: string | undefined;
}

interface Flags {
  readonly quick?: boolean;
  readonly only?: readonly Section[];
  readonly orders?: number;
  readonly rounds?: number;
  readonly subjects?: number;
  readonly json?: boolean;
  readonly against?: string;
}

const MAX = 1_000_000;

/** Creates the command, which calls `run` with its options. */
export function createBenchCommand(run: (options: BenchOptions) => Promise<void>): Command {
  return createCommand(
    'npm run bench --',
    'Compares Dockline with other integrations on the same machine. Exits with 0 only if Dockline lost nothing, announced nothing twice and kept the order.',
  )
    .option(
      '--quick',
      `rough figures within minutes: ${quick.orders} orders, one round, only ${quickSections.join(', ')}`,
    )
    .addOption(new Option('--only <section...>', 'measure only this section; repeatable').choices(sections))
    .addOption(
      numberOption(
        '--orders <number>',
        `orders of each burst (default: ${full.orders} for their cost, ${full.allowedOrders.join(', ')} at a warehouse's rate)`,
        { max: MAX },
      ),
    )
    .addOption(
      numberOption('--rounds <number>', `repetitions of each measurement (default: ${full.rounds})`, { max: MAX }),
    )
    .addOption(
      numberOption('--subjects <number>', `subjects stored for the board (default: ${full.subjects})`, {
        max: 10_000_000,
      }),
    )
    .option(
      '--against <commit>',
      'measure single events of this version and a commit instead, and print the ratios with their spread',
    )
    .addHelpText(
      'after',
      `
--json carries the figures of each round.
DOCKLINE_TEST_DATABASE_URL is the PostgreSQL server to create databases on (default:
postgres://postgres@127.0.0.1:5432/postgres). Without one, PostgreSQL is left out.`,
    )
    .action(async (flags: Flags) => await run(resolve(flags)));
}

function resolve({
  quick: isQuick = false,
  only,
  orders,
  rounds,
  subjects,
  json = false,
  against,
}: Flags): BenchOptions {
  const scale = isQuick ? quick : full;
  return {
    sections: new Set(only ?? (isQuick ? quickSections : sections)),
    scale: {
      ...scale,
      rounds: rounds ?? scale.rounds,
      orders: orders ?? scale.orders,
      allowedOrders: orders === undefined ? scale.allowedOrders : [orders],
      subjects: subjects ?? scale.subjects,
    },
    quick: isQuick,
    json,
    against,
  };
}
