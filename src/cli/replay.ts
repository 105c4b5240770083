import { temporalTarget } from '../app/service-options.ts';
import { loadConfig } from '../config/config.ts';
import { findCacheFolder } from '../forms/files.ts';
import { logWorkers, openLogger } from '../observability/logger.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { TASK_QUEUE } from '../temporal/pollers.ts';
import { replayRunning } from '../temporal/workflow-bundle.ts';
import { CONFIGURATION_HELP, createCommand, numberOption } from './command.ts';
import { openOutput } from './output.ts';

interface ReplayOptions {
  readonly limit?: number;
  readonly json?: boolean;
}

export const command = createCommand(
  'dockline replay',
  'Replays the histories of the workflows that run on TEMPORAL_ADDRESS with this version of the code, and changes nothing. Run it before you deploy a ' +
    'version. A workflow that does not replay is not lost: the new version replaces it within a minute and continues from the ' +
    'stored state. Exits with 0 if every workflow replays, else with 1.',
)
  .addOption(
    numberOption('--limit <number>', 'replay only this many workflows, the newest first', { max: 999_999_999 }),
  )
  .addHelpText('after', CONFIGURATION_HELP)
  .action(replay);

async function replay({ limit, ...options }: ReplayOptions): Promise<void> {
  const config = loadConfig(process.env);
  const output = openOutput(options);
  const target = temporalTarget(config);
  await using opened = new AsyncDisposableStack();
  opened.adopt(logWorkers(openLogger({ ...config, LOG_LEVEL: 'fatal' })), (it) => it.close());
  const { client } = opened.adopt(openTemporal(target), (it) => it.close());
  const { replayed, failures } = await replayRunning({
    client,
    taskQueue: TASK_QUEUE,
    cacheFolder: findCacheFolder(),
    limit,
    ...(target.dataConverter && { dataConverter: target.dataConverter }),
    onProgress: (count) => output.progress.show(`replayed: ${count}`),
  }).catch((error: unknown) => {
    throw isOutage(error) ? new Error(`Temporal does not answer at ${target.address}`, { cause: error }) : error;
  });
  for (const { workflowId, reason } of failures) output.say(`${workflowId} does not replay: ${reason}`);
  const tried = replayed === limit ? `the newest ${replayed}` : replayed;
  output.say(`${replayed - failures.length} of ${tried} running workflows replay with this version.`);
  if (replayed === limit) output.say('There may be more: --limit sets how many are replayed.');
  if (options.json) output.print(JSON.stringify({ replayed, failures }));
  process.exitCode = failures.length > 0 ? 1 : 0;
}
