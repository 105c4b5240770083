import { loadConfig } from '../config.ts';
import { openOutput } from './output.ts';
import { parseReconcileOptions, usage } from './reconcile-options.ts';
import { sweep } from './sweep.ts';

/** `npm run reconcile`: has a running Dockline compare what the warehouse lists with what it knows. */
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal leaves at once.
    if (stop.signal.aborted) process.exit(130);
    process.stderr.write('\nCanceling the sweep; once more to leave at once.\n');
    stop.abort();
  });
}

try {
  const options = parseReconcileOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(`${usage}\n`);
  else await sweep({ config: loadConfig(process.env), options, stop: stop.signal, output: openOutput(options) });
} catch (error) {
  process.stderr.write(`dockline: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
