import { setTimeout as pause } from 'node:timers/promises';
import { engines, type Fault, FaultError, perRound } from '../fault.ts';
import { statusOf } from '../fixture/dockline-process.ts';

/** Stops the service with SIGTERM: readiness fails first, deliveries are still accepted, and the process exits with 0. */
export const termination: Fault = {
  name: 'sigterm',
  description: 'the service receives SIGTERM under load',
  needs: engines,
  // The announcement in progress is awaited and marked.
  mayRepeat: false,
  // Long enough for several looks at readiness on a busy machine.
  inject: async () => ({ args: [], env: { SHUTDOWN_DELAY_MS: '4000' } }),
  run: perRound(async ({ fixture: { service, readyUrl }, say }) => {
    const signaledAt = Date.now();
    service.signal('SIGTERM');
    const unreadyFirst = await failsReadinessFirst(readyUrl);
    const { code, stderr } = await service.ended();
    say(`the service exited ${Date.now() - signaledAt} ms after SIGTERM`);
    await service.start();
    return () => {
      if (!unreadyFirst) throw new FaultError('the webhook endpoint closed before readiness failed');
      if (code !== 0) throw new FaultError(`the service exited with ${code}: ${stderr}`);
    };
  }),
};

/** Reports whether readiness answers 503 on a new connection before the process refuses connections. */
async function failsReadinessFirst(readyUrl: string): Promise<boolean> {
  for (;;) {
    const status = await statusOf(readyUrl);
    if (status === '503') return true;
    if (status === 'refused') return false;
  }
}

/** Sends a second SIGTERM while the first is handled: the process exits immediately. */
export const secondTermination: Fault = {
  name: 'second-sigterm',
  description: 'the service receives SIGTERM twice under load',
  needs: ['sqlite'],
  mayRepeat: true,
  run: perRound(async ({ fixture: { service }, moments, signal, say }) => {
    service.signal('SIGTERM');
    const betweenMs = moments.between(50, 400);
    await pause(betweenMs, undefined, { signal });
    const signaledAt = Date.now();
    service.signal('SIGTERM');
    const { code } = await service.ended();
    const tookMs = Date.now() - signaledAt;
    say(`the service exited ${tookMs} ms after the second SIGTERM, ${betweenMs} ms after the first`);
    await service.start();
    return () => {
      // An exit that waited for what is in progress has another code.
      if (code !== 130) throw new FaultError(`the service exited with ${code} after ${tookMs} ms`);
    };
  }),
};
