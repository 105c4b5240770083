import { createPeers } from './peers.ts';
import { Problem } from './problem.ts';

/** More wrong tokens of a peer refuse it. */
const WRONG_PER_MINUTE = 10;

export interface SignIns {
  /**
   * Undefined for a wrong token. Throws a Problem 429 after too many wrong ones, unless the peer showed a right one within the last hour:
   * another program at its address must not lock it out.
   */
  check<T>(address: string, find: () => T | undefined): T | undefined;
}

export function createSignIns(): SignIns {
  const peers = createPeers({ failuresPerMinute: WRONG_PER_MINUTE });
  return {
    check(address, find) {
      const waitS = peers.refusedFor(address);
      if (waitS !== undefined) {
        const headers = { 'retry-after': String(waitS) };
        throw new Problem(429, 'Too many wrong tokens. Try again in a minute.', { headers });
      }
      const found = find();
      if (found === undefined) peers.failed(address);
      else peers.succeeded(address);
      return found;
    },
  };
}
