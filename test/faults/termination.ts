import { setTimeout as pause } from 'node:timers/promises';
import { answersWell, statusOf } from './dockline-process.ts';
import type { Fault, FaultContext } from './fault.ts';
import { FaultError } from './fault-error.ts';
import { playOnce } from './load.ts';

/** When the service is told to stop after the load began, at most, in milliseconds. */
const TERM_WITHIN_MS = 2_500;
/** What leaves at once may take, on a machine with other work. */
const AT_ONCE_MS = 1_500;

/** SIGTERM under load: readiness goes first, deliveries are still taken, and the process ends well. */
export const termination: Fault = {
  name: 'sigterm',
  says: 'the service is told to stop under load',
  needs: 'both',
  // An announcement that is being sent is waited for and marked.
  mayRepeat: false,
  async run(context) {
    for (let round = 1; round <= context.rounds; round += 1) {
      await terminateOnce(context, `round ${round} of ${context.rounds}`);
    }
  },
};

async function terminateOnce(context: FaultContext, round: string): Promise<void> {
  const { world, moments, signal, say, settle } = context;
  const { service, readyUrl } = world;
  const playing = playOnce(world.simulator);
  const afterMs = moments.between(0, TERM_WITHIN_MS);
  await pause(afterMs, undefined, { signal });
  const toldAt = Date.now();
  service.signal('SIGTERM');
  const unreadyFirst = await goesUnreadyFirst(readyUrl);
  const { code, stderr } = await service.ended();
  say(
    `${round}: told the service to stop after ${afterMs} ms; it went unready and ended ${Date.now() - toldAt} ms later`,
  );
  await service.start();
  await playing;
  await settle();
  if (!unreadyFirst) throw new FaultError('the webhook closed before readiness said so');
  if (code !== 0) throw new FaultError(`the service ended with ${code}: ${stderr}`);
}

/** Whether readiness says 503 while the process still listens. */
async function goesUnreadyFirst(readyUrl: string): Promise<boolean> {
  for (;;) {
    const status = await statusOf(readyUrl);
    if (status === '503') return await answersWell(readyUrl.replace('ready', 'live'));
    if (status === 'none') return false;
  }
}

/** Two SIGTERMs, the second at a random moment while the first one's is under way: the process leaves at once. */
export const secondTermination: Fault = {
  name: 'second-sigterm',
  says: 'the service is told twice to stop under load',
  needs: 'sqlite',
  mayRepeat: true,
  async run(context) {
    for (let round = 1; round <= context.rounds; round += 1) {
      await terminateTwice(context, `round ${round} of ${context.rounds}`);
    }
  },
};

async function terminateTwice({ world, moments, signal, say, settle }: FaultContext, round: string): Promise<void> {
  const { service } = world;
  const playing = playOnce(world.simulator);
  await pause(moments.between(0, TERM_WITHIN_MS), undefined, { signal });
  service.signal('SIGTERM');
  const betweenMs = moments.between(50, 400);
  await pause(betweenMs, undefined, { signal });
  const toldAt = Date.now();
  service.signal('SIGTERM');
  const { code } = await service.ended();
  const tookMs = Date.now() - toldAt;
  say(`${round}: told again after ${betweenMs} ms; it left ${tookMs} ms later`);
  await service.start();
  await playing;
  await settle();
  if (code !== 130 || tookMs > AT_ONCE_MS) throw new FaultError(`it left ${tookMs} ms later with ${code}`);
}
