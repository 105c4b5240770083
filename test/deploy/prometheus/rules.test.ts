import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, writeRules } from './rules.ts';

it('the rules of Prometheus are those of the conditions: `npm run rules` writes them', () => {
  expect(readFileSync(file, 'utf8')).toBe(writeRules());
});
