import { expect, it } from 'vitest';
import { writeTemporary } from '../../config/temporary-text.ts';
import { find, openExamined } from './examining.ts';

const rulesWith = (holiday: string, rule: string): string => `calendars:
  dock:
    timeZone: UTC
    cutOffs: { monday: "24:00", tuesday: "24:00", wednesday: "24:00", thursday: "24:00", friday: "24:00", saturday: "24:00", sunday: "24:00" }
    holidays: [${holiday}]
deadlines:
  - { name: own, calendar: dock, ${rule} }
`;

async function examineWith(text: string) {
  const { simulator, examine } = await openExamined();
  const ids = Array.from({ length: 12 }, () => simulator.createOrder());
  return { ids, checks: await examine(['deadlines'], { CONFIG_FILE: writeTemporary(text) }) };
}

it('the check of deadlines shows for ten orders when they would be due, and which rule decides', async () => {
  const { checks } = await examineWith(rulesWith('9000-01-01', 'due: sameDay'));
  const lines = find(checks, 'orders')?.found.split('\n') ?? [];
  expect(lines).toHaveLength(10);
  for (const line of lines)
    expect(line).toMatch(/^order \d+: own: created .*, before the cut-off at 24:00, due .* in UTC$/);
  expect(checks.map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
});

it('the check of deadlines warns of rules that match nothing, and of holidays that end', async () => {
  const { checks } = await examineWith(rulesWith('2020-12-25', 'due: date, of: savedElements.ShipBy'));
  expect(find(checks, 'orders')).toMatchObject({
    verdict: 'warning',
    found: expect.stringMatching(/^order \d+: no rule matches\n/),
  });
  expect(find(checks, 'holidays')).toMatchObject({
    verdict: 'warning',
    found: 'the last holiday of dock is 2020-12-25',
    advice: 'Add the holidays to come.',
  });
});

it('the check of deadlines says politely that there are none', async () => {
  const { examine } = await openExamined();
  const [check, ...others] = await examine(['deadlines']);
  expect(others).toEqual([]);
  expect(check).toMatchObject({ verdict: 'skipped', found: 'are not set, so nothing is ever due' });
});
