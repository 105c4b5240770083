import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { roles } from '../app/service-options.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { scenarioNames } from '../config/variables/warehouse.ts';
import type { Environment } from '../forms/forms.ts';
import { CONFIGURATION_HELP, createCommand, numberOption, openStopSignal } from './command.ts';
import { openOutput } from './output.ts';
import { run, type StartOptions } from './run.ts';

/** Dockline's own; the folder may have files of others. */
const OWN = /^(dockline\.db|temporal)/;

/** Keeps other users from the data folder and from all files that this process and its children create. Does not follow links. */
export async function makePrivate(folder: string): Promise<void> {
  process.umask(0o077);
  await restrict(folder);
  for (const name of await namesIn(folder)) {
    if (!OWN.test(name)) continue;
    await restrict(join(folder, name));
    for (const inner of await namesIn(join(folder, name))) await restrict(join(folder, name, inner));
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Skips files of other users, deleted ones, and devices such as `/dev/null`. */
async function restrict(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() || found?.isFile()) await chmod(path, found.mode & 0o700).catch(() => undefined);
}

const withDemonstration = (command: Command): Command =>
  command
    .addOption(
      numberOption('--orders <number>', 'number of orders that the simulated warehouse creates', {
        max: 100_000,
      }).default(25),
    )
    .addOption(
      new Option(
        '--scenario <name>',
        'behavior of the simulated warehouse (default: SIMULATOR_SCENARIO, everyday)',
      ).choices(scenarioNames),
    )
    .option('--report', 'print each subject of the demonstration and all figures')
    .option('--until-done', 'exit when all orders are processed: with 0 if everything was announced once, else 1');

/** A demonstration fails on purpose, which its board shows; a slow machine must not look like a silent warehouse. */
const demonstrated = {
  LOG_LEVEL: 'error',
  WAREHOUSE_TIMEOUT_MS: 30_000,
} as const satisfies Partial<Config>;

const unlessSet = (settings: Partial<Config>, environment: Environment): Partial<Config> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !environment[name]));

async function start(environment: Environment, options: StartOptions): Promise<void> {
  const stop = openStopSignal('Stopping');
  const { scenario } = options;
  const config = loadConfig({ ...environment, ...(scenario && { SIMULATOR_SCENARIO: scenario }) });
  await makePrivate(config.DATA_FOLDER);
  const isDemonstration = config.tenants.length === 0;
  const settings = isDemonstration ? { ...config, ...unlessSet(demonstrated, environment) } : config;
  process.exitCode = await run(settings, options, stop, openOutput(options));
  if (stop.aborted) process.stderr.write('Stopped.\n');
}

export const command = withDemonstration(
  createCommand('dockline start', 'Runs Dockline. Services that you do not configure run embedded.'),
)
  .addOption(
    new Option('--role <role...>', 'run only these roles, on a shared DATABASE_URL and TEMPORAL_ADDRESS')
      .choices(roles)
      .default(roles, 'all'),
  )
  .addHelpText('after', CONFIGURATION_HELP)
  .action((options: StartOptions) => start(process.env, options));

export const demo = withDemonstration(
  createCommand(
    'dockline demo',
    'Runs Dockline with a simulated warehouse, a receiver, a mailbox and a Temporal server, all embedded. Of the configuration it ' +
      'takes only ports, logging and the simulator; its data is in the folder demo of DATA_FOLDER.',
  ),
).action((options: StartOptions) => start(environmentOf(process.env), { ...options, role: roles }));

const KEPT = /^((WEBHOOK|ADMIN|METRICS|MAILBOX|ANNOUNCE|WAREHOUSE|TEMPORAL|TEMPORAL_UI)_PORT|LOG_.+|SIMULATOR_.+)$/;

function environmentOf(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(([name]) => KEPT.test(name));
  return { ...Object.fromEntries(kept), DATA_FOLDER: join(environment.DATA_FOLDER || '.dockline', 'demo') };
}
