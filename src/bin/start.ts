import { loadConfig } from '../config.ts';
import { parseOptions, usage } from './options.ts';
import { openOutput } from './output.ts';
import { run } from './run.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal leaves at once.
    if (stop.signal.aborted) process.exit(130);
    process.stderr.write('\nStopping; once more to leave at once.\n');
    stop.abort();
  });
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(`${usage}\n`);
  else process.exitCode = await run(loadConfig(process.env), options, stop.signal, openOutput(options));
} catch (error) {
  process.stderr.write(`dockline: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
