import { temporalTarget } from '../app/codec.ts';
import { loadConfig } from '../config/config.ts';
import { logWorkers, openLogger } from '../observability/pino-logger.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { replayRunning } from '../temporal/replay.ts';
import { TASK_QUEUE } from '../temporal/task-queues.ts';
import { openOutput } from './output.ts';
import { parseReplayOptions, type ReplayOptions, usage } from './replay-options.ts';

/** `npm run replay`: replays the histories of running workflows with the code as it is. */
async function run(options: ReplayOptions): Promise<number> {
  const config = loadConfig(process.env);
  const output = openOutput(options);
  logWorkers(openLogger({ ...config, LOG_LEVEL: 'fatal' }));
  const target = temporalTarget(config.TEMPORAL_ADDRESS ?? `127.0.0.1:${config.TEMPORAL_PORT}`, config);
  const temporal = openTemporal(target);
  try {
    const { replayed, failures } = await replayRunning({
      ...{ client: temporal.client, taskQueue: TASK_QUEUE, limit: options.limit },
      ...(target.dataConverter && { dataConverter: target.dataConverter }),
      onProgress: (count) => output.progress.show(`replayed: ${count}`),
    });
    for (const { workflowId, reason } of failures) output.say(`${workflowId} does not replay: ${reason}`);
    output.say(`${replayed - failures.length} of ${replayed} running workflows replay with this version.`);
    if (options.json) output.print(JSON.stringify({ replayed, failures }));
    return failures.length > 0 ? 1 : 0;
  } catch (error) {
    if (isOutage(error)) throw new Error(`Temporal does not answer at ${target.address}`, { cause: error });
    throw error;
  } finally {
    await temporal.close();
  }
}

try {
  const options = parseReplayOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(`${usage}\n`);
  else process.exitCode = await run(options);
} catch (error) {
  process.stderr.write(`dockline: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
