import { hash } from 'node:crypto';
import { uniformFloat32 } from 'pure-rand/distribution/uniformFloat32';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** Sequence of random decisions that depends on its seed and name alone. Each call draws one. */
export type Stream = ReturnType<typeof createStream>;

/** Opens the stream with that name. Streams do not affect each other. */
export function createStream(seed: number, name: string) {
  const digest = hash('sha256', `${seed}/${name}`, 'buffer');
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32LE(offset)));
  const between = (from: number, to: number) => uniformInt(generator, from, to);
  return {
    /** Draws true at the given rate, 0 to 1. */
    chance: (rate: number): boolean => uniformFloat32(generator) < rate,
    /** Draws an integer, both ends included. */
    between,
    pick: <T>(choices: readonly [T, ...T[]]): T => choices[between(0, choices.length - 1)] ?? choices[0],
  };
}
