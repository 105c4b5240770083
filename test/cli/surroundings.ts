import { expect, onTestFinished } from 'vitest';
import { startReceiver } from '../../sandbox/receiver/receiver.ts';
import { startSimulator } from '../../sandbox/simulator/simulator.ts';
import { ownNamespace } from '../support/namespace.ts';
import { variablesOf } from '../support/warehouse-variables.ts';
import type { start } from './running-command.ts';

const secret = `whsec_${Buffer.from('a secret of this very test').toString('base64')}`;

/** Everything that several processes share, with a Temporal namespace of its own. */
export async function openSurroundings() {
  const simulator = await startSimulator({ port: 0, seed: 8, pace: 30, retryIntervalMs: 200, answerWithinMs: 60_000 });
  const receiver = await startReceiver({ port: 0, secret });
  onTestFinished(async () => {
    await simulator.close();
    await receiver.close();
  });
  const env = {
    ...(await ownNamespace()),
    ...variablesOf(simulator),
    WAREHOUSE_CALLS_PER_SECOND: '500',
    ANNOUNCE_URL: receiver.url,
    ANNOUNCE_SECRET: secret,
  };
  return { simulator, receiver, env };
}

/** Waits for a line on standard output, and returns what its pattern captures. */
export async function untilWritten(process: Awaited<ReturnType<typeof start>>, pattern: RegExp): Promise<string> {
  await expect.poll(() => process.written.stdout).toMatch(pattern);
  return pattern.exec(process.written.stdout)?.[1] ?? '';
}
