import { type Command, InvalidArgumentError, Option } from 'commander';
import { createCommand, numberOption } from '../../src/cli/command.ts';
import { faults } from './faults.ts';
import { type TemporalKind, temporalKinds } from './fixture/temporal-kinds.ts';
import type { FaultRun } from './run-fault.ts';

export interface FaultsOptions {
  /** In the order of the table. */
  readonly runs: readonly FaultRun[];
  readonly rounds: number;
  readonly seconds: number;
  /** Minimum time without any change before a fault is over, in milliseconds. */
  readonly quietMs: number;
  /** Seed of the random moments; by default another one each time. */
  readonly seed?: number | undefined;
  readonly temporal: TemporalKind;
  /** Waits until people are told of each outage and of its end, instead of comparing announcements. */
  readonly alerts: boolean;
  readonly json: boolean;
  readonly list: boolean;
}

interface Flags extends Partial<Pick<FaultsOptions, 'rounds' | 'seconds' | 'seed'>> {
  readonly only?: readonly string[];
  readonly quick?: boolean;
  readonly temporal: TemporalKind;
  readonly alerts?: boolean;
  readonly json?: boolean;
  readonly list?: boolean;
}

const thorough = { rounds: 20, seconds: 60, quietMs: 10_000 };
const quick = { rounds: 2, seconds: 5, quietMs: 2_000 };
const MAX = 1_000_000_000;

/** Creates the command, which calls `run` with its options. */
export function createFaultsCommand(run: (options: FaultsOptions) => Promise<void>): Command {
  return createCommand(
    'npm run faults --',
    'Runs Dockline in separate processes, injects faults under load, and compares the webhooks accepted with the announcements received. Exits with 0 only if nothing was lost, announced twice or out of order.',
  )
    .addOption(
      new Option(
        '--only <name...>',
        'run only this fault, or NAME/sqlite, NAME/postgres or NAME/pgbouncer; repeatable',
      ).argParser((name, previous: readonly string[] = []) => [...previous, parseName(name)]),
    )
    .addOption(
      numberOption('--rounds <number>', `kills, stops and interferences (default: ${thorough.rounds})`, { max: MAX }),
    )
    .addOption(numberOption('--seconds <number>', `duration of an outage (default: ${thorough.seconds})`, { max: MAX }))
    .option('--quick', `${quick.rounds} rounds and ${quick.seconds} seconds, unless set`)
    .addOption(numberOption('--seed <number>', 'seed of the random moments (default: random, printed)', { max: MAX }))
    .addOption(
      new Option('--temporal <kind>', 'Temporal server: one for development, or a cluster of two nodes on PostgreSQL')
        .choices(temporalKinds)
        .default('development'),
    )
    .option(
      '--alerts',
      'wait in each outage until people are told of it, and after it until they are told of its end, instead of comparing announcements',
    )
    .option('--list', 'list the faults')
    .addHelpText(
      'after',
      `
Faults on PostgreSQL start a server of their own, from /usr/lib/postgresql, and are
skipped where there is none.`,
    )
    .action(
      async ({
        only,
        quick: isQuick,
        rounds,
        seconds,
        seed,
        temporal,
        alerts = false,
        json = false,
        list = false,
      }: Flags) => {
        const defaults = isQuick ? quick : thorough;
        const runs = only ? allRuns.filter((one) => namesOf(one).some((name) => only.includes(name))) : allRuns;
        await run({
          runs,
          quietMs: defaults.quietMs,
          seed,
          temporal,
          alerts,
          json,
          list,
          rounds: rounds ?? defaults.rounds,
          seconds: seconds ?? defaults.seconds,
        });
      },
    );
}

/** Every fault with every database that it needs. */
const allRuns: readonly FaultRun[] = faults.flatMap((fault) => fault.needs.map((database) => ({ fault, database })));

const namesOf = ({ fault, database }: FaultRun): readonly string[] => [fault.name, `${fault.name}/${database}`];

function parseName(name: string): string {
  if (allRuns.some((run) => namesOf(run).includes(name))) return name;
  throw new InvalidArgumentError(`There is no such fault; --list lists them.`);
}
