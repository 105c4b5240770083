import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { sandbox } from '../../sandbox/entry.ts';
import { temporalTarget } from '../app/service-options.ts';
import { loadConfig } from '../config/config.ts';
import { findCacheFolder } from '../forms/files.ts';
import { createCommand } from './command.ts';

/** Everything behind `--` belongs to the CLI, its `--help` included. */
export const command = createCommand(
  'dockline temporal',
  "Runs Temporal's CLI on the server and in the namespace that Dockline uses.",
)
  .argument('[arguments...]')
  .helpOption(false)
  .allowUnknownOption()
  .passThroughOptions()
  .action(runCli);

async function runCli(args: readonly string[]): Promise<void> {
  const { address, namespace } = temporalTarget(loadConfig(process.env));
  const { findServerBinary } = await sandbox.serverBinary();
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const program = await findServerBinary({ cacheFolder: findCacheFolder(), log });
  const env = { ...process.env, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  const child = spawn(program, args, { env, stdio: 'inherit' });
  // The terminal sends Ctrl-C to both, and the CLI decides what it means.
  process.on('SIGINT', () => undefined);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
}
