import { loadConfig } from '../config/config.ts';
import { mainKind } from '../domain/kinds/kinds.ts';
import { TASK_QUEUE } from '../temporal/task-queues.ts';
import { CONFIGURATION_HELP, createCommand, momentOption, openStopSignal, UsageError } from './command.ts';
import { openOutput } from './output.ts';
import { kindOption, type SweepOptions, sweep } from './sweep.ts';

interface Options extends SweepOptions {
  readonly open?: boolean;
  readonly announce?: boolean;
  readonly dryRun?: boolean;
}

const HELP = `
One of --since and --open is required. Subjects that Dockline already knows are skipped. If the command ends early, the backfill continues;
the same command then follows it. Ctrl-C cancels it; the same command then continues with what is still unknown.
${CONFIGURATION_HELP}`;

export const command = createCommand(
  'dockline backfill',
  'Imports what the warehouse already has into a running Dockline, without announcing it.',
)
  .addOption(momentOption('since', 'everything that changed since this time or age'))
  .option('--open', 'everything that is open, whenever it changed')
  .addOption(kindOption('kinds').default([mainKind], mainKind))
  .option('--announce', 'announce what the records show, as inferred')
  .option('--dry-run', 'only count what is unknown')
  .option('--tenant <id>', 'only the warehouse of this tenant (tplId)')
  .addHelpText('after', HELP)
  .action(async ({ open = false, announce = false, dryRun = false, ...options }: Options) => {
    if (open === (options.since !== undefined)) throw new UsageError('say either --since or --open');
    const stop = openStopSignal('Canceling the backfill; what was found so far stays known');
    const backfill = { open, announce, dryRun };
    await sweep({
      config: loadConfig(process.env),
      options,
      backfill,
      stop,
      output: openOutput(options, { progressApart: true }),
      taskQueue: TASK_QUEUE,
    });
  });
