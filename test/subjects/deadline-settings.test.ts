import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { loadFile, problemsOf } from '../config/load-file.ts';

const CALENDARS = `calendars:
  dock:
    timeZone: America/Chicago
    cutOffs: { monday: "14:00", tuesday: "14:00", friday: "12:00" }
    holidays: [2026-11-26, 2026-12-25]
`;

/** Loads rules for the simulated warehouse. */
const load = (text: string, env: Readonly<Record<string, string>> = {}) => loadFile(text, env).simulated?.deadlines;

const withRules = (...rules: readonly string[]): string =>
  `${CALENDARS}deadlines:\n${rules.map((rule) => `  - ${rule}\n`).join('')}`;

const dock = {
  name: 'dock',
  timeZone: 'America/Chicago',
  cutOffs: { monday: '14:00', tuesday: '14:00', friday: '12:00' },
  holidays: ['2026-11-26', '2026-12-25'],
};

describe('the section deadlines', () => {
  it('has calendars, and rules with defaults', () => {
    const rules = withRules(
      '{ name: cancel date, calendar: dock, due: date, of: savedElements.Must Ship By, customers: [418] }',
      '{ name: same day, calendar: dock, due: sameDay, by: "17:00", atRiskMs: 600000 }',
      '{ name: put away, kind: receipt, calendar: dock, due: workingDays, days: 2, of: arrivalDate }',
    );
    expect(load(rules)).toMatchObject([
      { name: 'cancel date', kind: 'order', customers: ['418'], of: 'savedElements.must ship by', by: '24:00' },
      { name: 'same day', of: 'created', by: '17:00', days: 0, atRiskMs: 600_000, calendar: dock },
      { name: 'put away', kind: 'receipt', days: 2, of: 'arrivalDate', atRiskMs: 7_200_000, calendar: dock },
    ]);
  });

  it('has half days, days that are worked all the same, and rules for single facilities', () => {
    const text = withRules('{ name: reno, calendar: dock, due: sameDay, facilities: [13] }').replace(
      'deadlines:',
      '    specialDays: { 2026-12-24: "12:00" }\ndeadlines:',
    );
    expect(load(text)).toMatchObject([{ facilities: ['13'], calendar: { specialDays: { '2026-12-24': '12:00' } } }]);
  });

  it('is described with an example that is right', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/deadlines.md'), 'utf8');
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    expect(load(example)?.map(({ name }) => name)).toEqual(['cancel date', 'same day', 'put away']);
  });

  it('may be empty of rules', () => {
    expect(load('calendars: {}\ndeadlines: []\n')).toEqual([]);
    expect(loadConfig({}).simulated?.deadlines).toBeUndefined();
  });

  const rule = (keys: string) => withRules(`{ name: a, calendar: dock, ${keys} }`);

  it.each([
    [
      'an unknown zone',
      CALENDARS.replace('America/Chicago', 'America/Chicag'),
      'line 3: calendars.dock.timeZone: must be the name of a time zone, such as America/Chicago',
    ],
    [
      'a zone of no place',
      CALENDARS.replace('America/Chicago', 'EST'),
      'line 3: calendars.dock.timeZone: has no daylight saving time and is the zone of no place: write that of the warehouse, such as America/Chicago',
    ],
    [
      'a holiday that is worked',
      `${CALENDARS}    specialDays: { 2026-12-24: "12:00", 2026-12-25: "12:00" }\n`,
      'line 6: calendars.dock.specialDays.2026-12-25: is a holiday as well',
    ],
    [
      'a special day that does not exist',
      `${CALENDARS}    specialDays: { 2026-02-30: "12:00" }\n`,
      'line 6: calendars.dock.specialDays.2026-02-30: must be a date that exists, such as 2026-12-25',
    ],
    [
      'an impossible time on a special day',
      `${CALENDARS}    specialDays: { 2026-12-24: noon }\n`,
      'line 6: calendars.dock.specialDays.2026-12-24: must be a time from 00:00 to 24:00, which is the end of the day',
    ],
    [
      'an impossible date',
      CALENDARS.replace('12-25', '02-30'),
      'line 5: calendars.dock.holidays.1: must be a date that exists, such as 2026-12-25',
    ],
    ['a date twice', CALENDARS.replace('12-25', '11-26'), 'line 5: calendars.dock.holidays: must name each date once'],
    [
      'an impossible time',
      CALENDARS.replace('12:00', '25:00'),
      'line 4: calendars.dock.cutOffs.friday: must be a time from 00:00 to 24:00, which is the end of the day',
    ],
    [
      'a misspelt day',
      CALENDARS.replace('friday', 'fryday'),
      'line 4: calendars.dock.cutOffs.fryday: is not known here; did you mean friday?',
    ],
    [
      'no working day',
      CALENDARS.replace(/\{.*\}/, '{}'),
      'line 4: calendars.dock.cutOffs: must have a cut-off for at least one day of the week, which is then worked',
    ],
    [
      'a misspelt key',
      CALENDARS.replace('holidays', 'holiday'),
      'line 5: calendars.dock.holiday: is not known here; did you mean holidays?',
    ],
    ['a list for calendars', 'calendars: []\n', 'line 1: calendars: must be keys with values'],
  ])('says where a calendar has %s', (_, text, problem) => {
    expect(problemsOf(`${text}deadlines: []\n`)).toContain(problem);
  });

  it('says that a calendar has more holidays than days of a year', () => {
    const days = Array.from({ length: 400 }, (_, n) => new Date(Date.UTC(2026, 11, 24 + n)).toISOString().slice(0, 10));
    const text = CALENDARS.replace(/\[.*\]/, `[${days.join(', ')}]`);
    expect(problemsOf(`${text}deadlines: []\n`)).toEqual(['line 5: calendars.dock.holidays: must be at most 366']);
  });

  it.each([
    [
      'an unknown calendar',
      rule('due: sameDay').replace('calendar: dock', 'calendar: deck'),
      'line 7: deadlines.0.calendar: is not known; known are dock',
    ],
    [
      'a kind that is never over',
      rule('due: sameDay, kind: stock'),
      'line 7: deadlines.0.kind: must be one of order, receipt, adjustment, assembly',
    ],
    ['no reckoning', rule('by: "17:00"'), 'line 7: deadlines.0.due: is missing'],
    [
      'an unknown member',
      rule('due: sameDay, carier: [UPS]'),
      'line 7: deadlines.0.carier: is not known here; did you mean carriers?',
    ],
    [
      'an unknown time',
      rule('due: date, of: shipDate'),
      'line 7: deadlines.0.of: is no time of an order; known are created, earliestShipDate, shipCancelDate, savedElements.<name>',
    ],
    [
      'a saved element without a name',
      rule('due: date, of: savedElements.'),
      'line 7: deadlines.0.of: is no time of an order; known are created, earliestShipDate, shipCancelDate, savedElements.<name>',
    ],
    ['no date', rule('due: date'), 'line 7: deadlines.0.due: needs of, the date of the record'],
    ['no number of days', rule('due: workingDays'), 'line 7: deadlines.0.due: needs days, the number of working days'],
    [
      'days that have no effect',
      rule('due: sameDay, days: 1'),
      'line 7: deadlines.0.days: is only for due: workingDays, not for sameDay',
    ],
    [
      'too many days',
      rule('due: workingDays, days: 251'),
      'line 7: deadlines.0.days: must be a whole number from 1 to 250',
    ],
    [
      'a time before a cut-off',
      rule('due: sameDay, by: "13:00"'),
      'line 7: deadlines.0.by: must not be before the cut-off of monday, which is 14:00',
    ],
    [
      'a customer with blanks',
      rule('due: sameDay, customers: ["418 "]'),
      'line 7: deadlines.0.customers.0: must be 418, without signs, blanks and zeros around it',
    ],
    [
      'carriers of receipts',
      rule('due: sameDay, kind: receipt, carriers: [UPS]'),
      'line 7: deadlines.0.carriers: is only for orders',
    ],
    [
      'carriers that are not fetched',
      rule('due: sameDay, carriers: [UPS]'),
      'line 7: deadlines.0.carriers: can never match: orderDetail (WAREHOUSE_ORDER_DETAIL) lacks smallParcel, which has it',
    ],
    [
      'saved elements that are not fetched',
      rule('due: date, kind: receipt, of: savedElements.By'),
      'line 7: deadlines.0.of: can never match: receiptDetail (WAREHOUSE_RECEIPT_DETAIL) lacks SavedElements, which has it',
    ],
    [
      'a colon in its name',
      rule('due: sameDay').replace('name: a', 'name: "a: b"'),
      'line 7: deadlines.0.name: must be of at most 60 characters, without a colon',
    ],
    [
      'a time at risk that is negative',
      rule('due: sameDay, atRiskMs: -1'),
      'line 7: deadlines.0.atRiskMs: must be a whole number of milliseconds from 0 to 2592000000, or have a unit, such as 20s, 15m, 1h or 2d',
    ],
  ])('says where a rule has %s', (_, text, problem) => {
    expect(problemsOf(text, { WAREHOUSE_ORDER_DETAIL: 'orderItems,savedElements' })).toContain(problem);
  });

  it('says that a rule can never match, or repeats a name', () => {
    const usual = 'calendar: dock, due: sameDay';
    expect(
      problemsOf(
        withRules(
          `{ name: all, ${usual} }`,
          `{ name: alder, ${usual}, customers: [418] }`,
          `{ name: all, kind: receipt, ${usual} }`,
        ),
      ),
    ).toEqual([
      'line 8: deadlines.1.name: can never match: all above it matches everything that it would',
      'line 9: deadlines.2.name: repeats that of a rule above',
    ]);
  });

  it('says that a calendar is not used', () => {
    expect(problemsOf(`${CALENDARS}deadlines: []\n`)).toEqual(['line 2: calendars.dock: is used by no deadline']);
  });

  it('may match carriers whose section is fetched, and may name variables', () => {
    const env = { WAREHOUSE_ORDER_DETAIL: 'smallParcel', ALDER: '418' };
    const text = rule(`due: sameDay, carriers: [UPS], customers: ["\${ALDER}"]`);
    expect(load(text, env)).toMatchObject([{ carriers: ['UPS'], customers: ['418'] }]);
    expect(problemsOf(text, { WAREHOUSE_ORDER_DETAIL: 'smallParcel' })).toEqual([
      'line 7: the variable ALDER is not set',
    ]);
  });
});

const access = `
    baseUrl: https://wms.example
    authUrl: https://wms.example
    clientId: client
    clientSecret: hush
    userLogin: dockline
    announce: { url: https://one.example/in, secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw }
`;

describe('deadlines of warehouses in the file', () => {
  const own = '    deadlines: [{ name: own, calendar: dock, due: sameDay }]';
  const shared = 'deadlines: [{ name: shared, calendar: dock, due: sameDay }]';
  const warehouses = (ofFirst: string, top = '') => `${CALENDARS}${top}
warehouses:
  - tenant: 9104
    tpl: 5f0c2b7e-8d3a-4c19-b6a4-2e9d7f1c0a55${access}${ofFirst}
  - tenant: 7001${access}`;

  it.each([
    ['one of them', '', [['own dock'], []]],
    ['defaults', `defaults: { ${shared} }`, [['own dock'], ['shared dock']]],
    ['the outermost keys', shared, [['own dock'], ['shared dock']]],
  ])('are those of %s, or its own', (_, top, expected) => {
    const { tenants } = loadFile(warehouses(own, top));
    expect(tenants.map((it) => it.deadlines.map(({ name, calendar }) => `${name} ${calendar.name}`))).toEqual(expected);
  });

  it('have no effect where every warehouse has its own, which is said', () => {
    const noticesOf = (ofSecond: string) => loadFile(`${warehouses(own, shared)}${ofSecond}`).notices;
    const notice = expect.stringMatching(/, line 6: deadlines has no effect, since every warehouse has its own\.$/);
    expect(noticesOf('\n    deadlines: []')).toContainEqual(notice);
    expect(noticesOf('')).not.toContainEqual(notice);
  });

  it.each([
    [warehouses(own.replace('dock', 'deck'), shared), 'line 16: deadlines.0.calendar: is not known; known are dock'],
    [warehouses('', shared.replace('dock', 'deck')), 'line 6: deadlines.0.calendar: is not known; known are dock'],
    [
      warehouses('', `defaults: { ${shared} }\n${shared}`),
      'line 7: deadlines: must not be beside the deadlines of defaults',
    ],
  ])('are refused with the line that is wrong', (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });
});
