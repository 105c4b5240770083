/** Whom an interchange is from and to: qualifier and id, such as `ZZ` and `WAREHOUSE`. */
export interface Partners {
  readonly sender: readonly [qualifier: string, id: string];
  readonly receiver: readonly [qualifier: string, id: string];
  /** `P` for production, `T` for tests. */
  readonly usage: 'P' | 'T';
}

/** One interchange with one group and one document, all of one control number. */
export interface Envelope extends Partners {
  /** 1 to 999,999,999; no other interchange may have it. */
  readonly control: number;
  /** When it is written. */
  readonly at: Date;
}

export type Segment = readonly (string | number | undefined)[];

/** Wraps the segments of a document, and counts them. */
export function interchange(
  set: string,
  group: string,
  { control, at, sender, receiver, usage }: Envelope,
  document: Segment[],
) {
  if (!Number.isInteger(control) || control < 1 || control > 999_999_999)
    throw new RangeError(`no control number: ${control}`);
  const [year, month, day, hour, minute] = at.toISOString().split(/\D/) as [string, string, string, string, string];
  const [date, time, nine] = [`${year}${month}${day}`, hour + minute, String(control).padStart(9, '0')];
  const parties = [sender, receiver].flatMap(([qualifier, id]) => [qualifier, id.padEnd(15).slice(0, 15)]);
  const blank = ['00', ' '.repeat(10), '00', ' '.repeat(10)];
  const written: Segment[] = [
    ['ISA', ...blank, ...parties, date.slice(2), time, 'U', '00401', nine, 0, usage, '>'],
    ['GS', group, sender[1], receiver[1], date, time, control, 'X', '004010'],
    ['ST', set, '0001'],
    ...document.map((segment) => segment.map(withoutSeparators)),
    ['SE', document.length + 2, '0001'],
    ['GE', 1, control],
    ['IEA', 1, nine],
  ];
  return written.map((segment) => `${withoutEmptyEnd(segment.map(toElement)).join('*')}~\n`).join('');
}

/** Separators cannot be escaped in X12, so a text has none. */
const withoutSeparators = (value: Segment[number]): Segment[number] =>
  typeof value === 'string' ? value.replaceAll(/[*~>\p{Cc}]/gu, ' ').trim() : value;

const toElement = (value: Segment[number]): string => (typeof value === 'number' ? decimal(value) : (value ?? ''));

const withoutEmptyEnd = (elements: readonly string[]): readonly string[] =>
  elements.slice(0, elements.findLastIndex((element) => element !== '') + 1);

/** Without an exponent. */
const decimal = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 6, useGrouping: false, signDisplay: 'negative' });
