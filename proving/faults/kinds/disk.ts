import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, FaultError, startLoad } from '../fault.ts';
import { statusOf } from '../fixture/dockline-process.ts';
import type { Fixture } from '../fixture/fixture.ts';
import { limitFileSize, switchOff, switchOn } from '../injection/injection.ts';

/** Smaller than any file of the store, in bytes. */
const FULL = 4_096;

/** Failure of the disk, and its end. */
interface DiskFailure {
  begin(fixture: Fixture): Promise<void>;
  end(fixture: Fixture): Promise<void>;
}

/** Makes every write beyond the limit fail. */
export const diskFull: DiskFailure = {
  begin: ({ service }) => limitFileSize(service.pid(), FULL),
  end: ({ service }) => limitFileSize(service.pid()),
};

/** Makes every sync fail. */
export const fsyncFails: DiskFailure = {
  begin: ({ folder }) => switchOn(folder),
  end: ({ folder }) => switchOff(folder),
};

/**
 * Creates a fault in which the disk fails for a while under load. The process is killed at the end, so that a 200 for something not
 * durable shows as missing.
 */
export function diskFault(
  name: string,
  { failure, ...rest }: Required<Pick<Fault, 'description' | 'inject'>> & { readonly failure: DiskFailure },
): Fault {
  const run: Fault['run'] = async ({ fixture, seconds, signal, say, settle }) => {
    const { simulator, service, readyUrl } = fixture;
    const stopLoad = startLoad(simulator);
    await pause(1_500, undefined, { signal });
    const before = simulator.counts().answered;
    await failure.begin(fixture);
    say(`${rest.description}, for ${seconds} s`);
    await pause(seconds * 1000, undefined, { signal });
    const status = await statusOf(readyUrl);
    const refused = (simulator.counts().answered['503'] ?? 0) - (before['503'] ?? 0);
    say(`webhooks were answered 503 ${refused} times, readiness ${status}; killing the service`);
    await service.kill();
    await failure.end(fixture).catch(() => undefined);
    await service.start();
    await stopLoad();
    await settle();
    if (refused === 0 || status !== '503') throw new FaultError('the disk failed without an answer of 503');
  };
  return { name, needs: ['sqlite'], mayRepeat: true, ...rest, run };
}
