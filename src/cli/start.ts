import { Option } from 'commander';
import { roles } from '../app/service-options.ts';
import { loadConfig } from '../config/config.ts';
import { scenarioNames } from '../config/variables.ts';
import { CONFIGURATION_HELP, createCommand, numberOption, openStopSignal, runCommand } from './command.ts';
import { openOutput } from './output.ts';
import { makePrivate } from './private-files.ts';
import { run, type StartOptions } from './run.ts';

/** `npm start`. */
await runCommand(
  createCommand('npm start --', 'Runs Dockline. Services that you do not configure run embedded.')
    .addOption(
      numberOption('--orders <number>', 'number of orders that the simulated warehouse creates', {
        max: 100_000,
      }).default(25),
    )
    .addOption(
      new Option(
        '--scenario <name>',
        'what the simulated warehouse is like (default: SIMULATOR_SCENARIO, everyday)',
      ).choices(scenarioNames),
    )
    .option('--until-done', 'exit when all orders are processed: with 0 if everything was announced once, else 1')
    .addOption(
      new Option('--role <role...>', 'run only these roles, on a shared DATABASE_URL and TEMPORAL_ADDRESS')
        .choices(roles)
        .default(roles, 'all'),
    )
    .addHelpText('after', CONFIGURATION_HELP)
    .action(async (options: StartOptions) => {
      const stop = openStopSignal('Stopping');
      const { scenario } = options;
      const config = loadConfig({ ...process.env, ...(scenario && { SIMULATOR_SCENARIO: scenario }) });
      await makePrivate(config.DATA_FOLDER);
      process.exitCode = await run(config, options, stop, openOutput(options));
    }),
);
