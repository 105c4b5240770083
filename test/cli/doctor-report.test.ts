import { expect, it } from 'vitest';
import type { Check, Verdict } from '../../src/app/doctor/check.ts';
import { describeChecks } from '../../src/cli/doctor.ts';

const check = (verdict: Verdict): Check => ({
  area: 'store',
  name: 'data folder',
  verdict,
  found: 'something',
  advice: null,
});

it.each([
  [['ok', 'warning'] as const, '1 ok, 1 warning, 0 failed, 0 skipped'],
  [['warning', 'warning', 'skipped'] as const, '0 ok, 2 warnings, 0 failed, 1 skipped'],
])('the report of a doctor counts %j', (verdicts, summary) => {
  const screen = { paint: (_: unknown, text: string) => text, columns: Number.POSITIVE_INFINITY };
  expect(describeChecks(verdicts.map(check), screen).split('\n').at(-1)).toBe(summary);
});
