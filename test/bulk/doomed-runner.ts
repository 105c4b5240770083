import { openStore } from '../../src/app/store.ts';
import { resendingOf, runnerOf } from './runner-of.ts';

/**
 * A process that runs the confirmed resend of the store in its first argument, a few items at a time, and kills itself in its second round,
 * after the items are done and before that is written.
 */
const store = await openStore(JSON.parse(process.argv[2] ?? ''));
const resend = resendingOf(store);
let rounds = 0;
runnerOf(store, {
  chunk: 3,
  async perform(...given) {
    const tried = await resend.perform(...given);
    rounds += 1;
    if (rounds === 2) process.kill(process.pid, 'SIGKILL');
    return tried;
  },
}).start();
// Nothing else keeps the process alive.
setInterval(() => undefined, 1000);
