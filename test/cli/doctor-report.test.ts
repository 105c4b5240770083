import { expect, it } from 'vitest';
import type { CheckResult, Verdict } from '../../src/app/doctor/check.ts';
import { describeChecks } from '../../src/cli/doctor.ts';

const check = (verdict: Verdict): CheckResult => ({
  area: 'disk',
  tenant: null,
  name: 'data folder',
  tried: '.dockline',
  verdict,
  found: 'something',
  ms: 1,
  advice: null,
});

it.each([
  [['ok', 'warning'] as const, '1 ok, 1 warning, 0 failed, 0 skipped in 0.1 s'],
  [['warning', 'warning', 'skipped'] as const, '0 ok, 2 warnings, 0 failed, 1 skipped in 0.1 s'],
])('the report of a doctor counts %j', (verdicts, summary) => {
  const screen = { paint: (_: unknown, text: string) => text, columns: Number.POSITIVE_INFINITY };
  expect(describeChecks(verdicts.map(check), 100, screen).split('\n').at(-1)).toBe(summary);
});
