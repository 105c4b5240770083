import { describe, expect, it } from 'vitest';
import { parseExactly } from '../../src/base/untrusted-json.ts';
import { readFlag, readHappened, readId, readNumber, readText, readTime } from '../../src/domain/wire-values.ts';

const nothing = [undefined, null, '', '  ', '\t\n', {}, [], Number.NaN, Number.POSITIVE_INFINITY];

describe('an id', () => {
  it.each([
    ...nothing,
    0,
    -0,
    '0',
    '-0',
    '000',
    '0.0',
    -1,
    '-1',
    '-2147483648',
    '00000000-0000-0000-0000-000000000000',
    '{00000000-0000-0000-0000-000000000000}',
    'null',
    'NULL',
    'None',
    'undefined',
    'NaN',
    'N/A',
    'n.a.',
    '(null)',
    '<null>',
    '{id}',
    '{{orderId}}',
    '$(ORDER_ID)',
    '%order id%',
    '$id',
    '[]',
    '{}',
    '-',
    '??',
    '#N/A',
    '(00000000-0000-0000-0000-000000000000)',
    '00000000000000000000000000000000',
    '[0]',
    true,
    false,
  ])('is absent that is %j', (value) => {
    expect(readId(value)).toBeUndefined();
  });

  it.each([
    [1, '1'],
    [31004581, '31004581'],
    [' 31004581 ', '31004581'],
    ['0x10', '0x10'],
    ['007', '007'],
    ['A-0', 'A-0'],
    ['nullable', 'nullable'],
    ['(A)-1', '(A)-1'],
    ['{6e0f1c3a-1f0e-4a6b-9d51-3f3a1c0b7d11}', '{6e0f1c3a-1f0e-4a6b-9d51-3f3a1c0b7d11}'],
    ['münchen', 'münchen'],
    ['6e0f1c3a-1f0e-4a6b-9d51-3f3a1c0b7d11', '6e0f1c3a-1f0e-4a6b-9d51-3f3a1c0b7d11'],
    [parseExactly('9007199254740993'), '9007199254740993'],
  ])('that is %j is %s', (value, id) => {
    expect(readId(value)).toBe(id);
  });
});

describe('a flag', () => {
  it.each([true, 'true', 'True', ' TRUE ', 1, '1'])('is set that is %j', (value) => {
    expect(readFlag(value)).toBe(true);
  });

  it.each([false, 'false', 'False', 0, '0'])('is not set that is %j', (value) => {
    expect(readFlag(value)).toBe(false);
  });

  it.each([...nothing, 'null', 'maybe', -1, 2, '2026-02-11T09:12:00'])('is absent that is %j', (value) => {
    expect(readFlag(value)).toBeUndefined();
  });
});

describe('a time', () => {
  it.each([
    ['2026-02-11T16:42:19.0630000', '2026-02-11T16:42:19.063Z'],
    ['2026-02-11 16:42:19', '2026-02-11T16:42:19.000Z'],
    ['2026-02-11T16:42:19.5z', '2026-02-11T16:42:19.500Z'],
    ['2026-02-11T16:42:19+01:00', '2026-02-11T15:42:19.000Z'],
    ['2026-02-11T16:42:19+01', '2026-02-11T15:42:19.000Z'],
    ['2026-02-11T16:42:19-0130', '2026-02-11T18:12:19.000Z'],
    ['2026-02-11T16:42', '2026-02-11T16:42:00.000Z'],
  ])('of %s is %s', (text, iso) => {
    expect(readTime(text)).toBe(Date.parse(iso));
  });

  it.each([
    ...nothing,
    0,
    'null',
    '2026-02-11',
    '2026-13-11T00:00:00',
    '2026-02-30T00:00:00',
    '2079-06-06T23:59:00',
    '0001-01-01T00:00:00',
    '1753-01-01T00:00:00',
    '1900-01-01T00:00:00',
    '1970-01-01T00:00:00',
    '9999-12-31T23:59:59.9999999',
  ])('is absent that is %j', (value) => {
    expect(readTime(value)).toBeUndefined();
  });
});

describe('what is told by a flag or a date', () => {
  it.each([true, 'True', 1, '2026-02-11T09:12:00', '2026-02-11'])('has happened if that is %j', (value) => {
    expect(readHappened(value)).toBe(true);
  });

  it.each([
    ...nothing,
    false,
    'False',
    0,
    '0',
    -1,
    'null',
    'pending',
    '0001-01-01T00:00:00',
    '2/11/2026 9:12:00 AM',
    1770828139,
    '1753-01-01T00:00:00.2026',
    '1899-12-30T00:00:00',
    '1900-01-01',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59',
  ])('has not happened if that is %j', (value) => {
    expect(readHappened(value) ?? false).toBe(false);
  });
});

describe('on 11 February 2026, what has a date', () => {
  const now = Date.parse('2026-02-11T12:00:00Z');

  it.each(['2026-02-12', '2026-02-12T23:59:59', '2026-02-13T01:00:00+14:00'])(
    'until the end of tomorrow has happened: %j',
    (value) => {
      expect(readHappened(value, now)).toBe(true);
    },
  );

  it.each([
    ...['2026-02-13', '2026-02-13T00:00:00', '2026-03-01T09:12:00', '2027-01-01'],
    ...['2079-06-06', '2079-06-06T23:59:00', '2999-12-31'],
  ])('after tomorrow has not happened: %j', (value) => {
    expect(readHappened(value, now)).toBeUndefined();
  });
});

it.each([
  [4, 4],
  [0, 0],
  [-3, -3],
  ['4', 4],
  [' 3.50 ', 3.5],
  ['1e3', 1000],
  [parseExactly('3.50'), 3.5],
])('a number that is %j is %d', (value, number) => {
  expect(readNumber(value)).toBe(number);
});

it.each([...nothing, 'four', '4 pcs', '0x10', true])('no number is %j', (value) => {
  expect(readNumber(value)).toBeUndefined();
});

it.each([
  ['  TEA ', 'TEA'],
  [7, '7'],
  ['null', 'null'],
])('a text that is %j is %s', (value, text) => {
  expect(readText(value)).toBe(text);
});
