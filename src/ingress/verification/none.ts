import type { Verifier } from './verifier.ts';

/** A verifier that takes everything: for loopback, or where someone in front has verified. */
export function createOpenVerifier(): Verifier {
  return async () => 'authentic';
}
