import { createPeers } from './peers.ts';
import { Problem } from './problem.ts';

/** Wrong tokens of one peer in a minute from which on it is refused. */
const WRONG_PER_MINUTE = 10;

/** Sign-ins with a token, whose failures are limited for each peer. */
export interface SignIns {
  /**
   * Reports whether a peer shows the right token. Throws a Problem with status 429 for a peer that has shown too many wrong ones, unless
   * it showed the right one within the last hour: another program at its address must not lock it out.
   */
  isRight(address: string, isToken: () => boolean): boolean;
}

/** Creates the counts of failed sign-ins. */
export function createSignIns(): SignIns {
  const peers = createPeers({ failuresPerMinute: WRONG_PER_MINUTE });
  return {
    isRight(address, isToken) {
      const waitS = peers.refusedFor(address);
      if (waitS !== undefined) {
        const headers = { 'retry-after': String(waitS) };
        throw new Problem(429, 'Too many wrong tokens. Try again in a minute.', { headers });
      }
      const isRight = isToken();
      if (isRight) peers.succeeded(address);
      else peers.failed(address);
      return isRight;
    },
  };
}
