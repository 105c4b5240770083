import { setTimeout as pause } from 'node:timers/promises';
import { statusOf } from './dockline-process.ts';
import type { Fault, FaultContext } from './fault.ts';
import { FaultError } from './fault-error.ts';
import { keepPlaying } from './load.ts';
import { limitFileSize, switchOff, switchOn } from './tampering.ts';
import type { World } from './world.ts';

/** Less than any file of the store has, in bytes: it takes nothing more. */
const FULL = 4_096;

/** What is done to the disk, and what undoes it. */
interface Harm {
  begin(world: World): Promise<void>;
  end(world: World): Promise<void>;
}

/** No file takes another byte. */
export const diskFull: Harm = {
  begin: ({ service }) => limitFileSize(service.pid(), FULL),
  end: ({ service }) => limitFileSize(service.pid()),
};

/** Nothing that is written reaches the disk for certain. */
export const fsyncFails: Harm = {
  begin: ({ folder }) => switchOn(folder),
  end: ({ folder }) => switchOff(folder),
};

/**
 * A fault in which the disk fails for a while under load. The process is killed at the end of it, so that a 200 that stood for
 * nothing on the disk shows as something missing.
 */
export function diskFault(
  name: string,
  { says, tamper, harm }: Required<Pick<Fault, 'says' | 'tamper'>> & { readonly harm: Harm },
): Fault {
  return { name, says, needs: 'sqlite', mayRepeat: true, tamper, run: (context) => harmDisk(context, harm, says) };
}

async function harmDisk({ world, seconds, signal, say, settle }: FaultContext, harm: Harm, says: string) {
  const load = keepPlaying(world.simulator);
  await pause(1_500, undefined, { signal });
  const before = world.simulator.counts().answered;
  await harm.begin(world);
  say(`${says}, for ${seconds} s`);
  await pause(seconds * 1000, undefined, { signal });
  const status = await statusOf(world.readyUrl);
  const { answered } = world.simulator.counts();
  const refused = (answered['503'] ?? 0) - (before['503'] ?? 0);
  say(`webhooks were answered 503 ${refused} times, readiness ${status}; killing the service`);
  await world.service.kill();
  await harm.end(world).catch(() => undefined);
  await world.service.start();
  await load.stop();
  await settle();
  if (refused === 0 || status !== '503') throw new FaultError('the disk failed and nobody was told 503');
}
