import { loadConfig } from '../config/config.ts';
import { TASK_QUEUE } from '../temporal/task-queues.ts';
import { CONFIGURATION_HELP, createCommand, momentOption, openStopSignal } from './command.ts';
import { openOutput } from './output.ts';
import { kindOption, type SweepOptions, sweep } from './sweep.ts';

export const command = createCommand(
  'dockline reconcile',
  'Compares the lists of the warehouse with the records of a running Dockline, and fetches what differs.',
)
  .addOption(momentOption('since', 'compare changes since this time or age instead of RECONCILE_LOOKBACK_MS'))
  .addOption(kindOption('compare these kinds instead of RECONCILE_KINDS'))
  .option('--tenant <id>', 'compare only the warehouse of this tenant (tplId)')
  .addHelpText('after', CONFIGURATION_HELP)
  .action(async (options: SweepOptions) => {
    const stop = openStopSignal('Canceling the sweep; what it has ingested is fetched and announced in the background');
    await sweep({
      config: loadConfig(process.env),
      options,
      stop,
      output: openOutput(options, { progressApart: true }),
      taskQueue: TASK_QUEUE,
    });
  });
