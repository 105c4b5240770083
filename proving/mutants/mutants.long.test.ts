import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutants } from './mutants.ts';

it.each(mutants)('a line is there to be broken: $breaks', ({ file, tests, from, to }) => {
  expect(tests.split(' ').filter((path) => !existsSync(path))).toEqual([]);
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
});
