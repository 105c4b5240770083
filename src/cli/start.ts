import { loadConfig } from '../config/config.ts';
import { openOutput } from './output.ts';
import { run } from './run.ts';
import { parseOptions, usage } from './start-options.ts';
import { openStopSignal } from './stop-signal.ts';

const stop = openStopSignal('Stopping');

try {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(`${usage}\n`);
  else process.exitCode = await run(loadConfig(process.env), options, stop, openOutput(options));
} catch (error) {
  process.stderr.write(`dockline: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
