import { loadConfig } from '../config/config.ts';
import { openOutput } from './output.ts';
import { parseReconcileOptions, usage } from './reconcile-options.ts';
import { openStopSignal } from './stop-signal.ts';
import { sweep } from './sweep.ts';

/** `npm run reconcile`: has a running Dockline compare what the warehouse lists with what it knows. */
const stop = openStopSignal('Canceling the sweep');

try {
  const options = parseReconcileOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(`${usage}\n`);
  else await sweep({ config: loadConfig(process.env), options, stop, output: openOutput(options) });
} catch (error) {
  process.stderr.write(`dockline: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
