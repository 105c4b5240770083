import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, page, writePage, writeRules } from '../../../tools/rules/rules.ts';

it('the rules of Prometheus and the table of conditions are those of the conditions: `npm run rules` writes them', () => {
  expect(readFileSync(file, 'utf8')).toBe(writeRules());
  expect(readFileSync(page, 'utf8')).toBe(writePage());
});
