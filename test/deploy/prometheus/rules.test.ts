import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, writePages, writeRules } from './rules.ts';

it('the rules of Prometheus are those of the conditions: `npm run rules` writes them', () => {
  expect(readFileSync(file, 'utf8')).toBe(writeRules());
});

it.each(writePages())('%s has the conditions: `npm run rules` writes them', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text);
});
