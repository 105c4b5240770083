import { createHash } from 'node:crypto';
import { uniformFloat32 } from 'pure-rand/distribution/uniformFloat32';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** A sequence of decisions that depends on nothing but its seed and name; each call takes one from it. */
export interface Stream {
  /** Whether something of the given rate (0..1) happens. */
  chance(rate: number): boolean;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** Opens the stream of that name: the same seed and name, the same decisions, whatever other streams are asked. */
export function createStream(seed: number, name: string): Stream {
  const digest = createHash('sha256').update(`${seed}/${name}`).digest();
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32LE(offset)));
  const between = (from: number, to: number) => uniformInt(generator, from, to);
  return {
    chance: (rate) => uniformFloat32(generator) < rate,
    between,
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
  };
}
