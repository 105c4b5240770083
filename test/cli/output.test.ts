import { describe, expect, it } from 'vitest';
import { describeAnswer, page } from '../../src/cli/admin/layout.ts';
import { describeChecks } from '../../src/cli/doctor.ts';
import { RECEIVER } from '../../src/cli/init.ts';
import { createProgress, fold } from '../../src/cli/output.ts';
import { openLogger } from '../../src/observability/logger.ts';

describe('progress', () => {
  const record = (isTTY: boolean) => {
    const written: string[] = [];
    let now = 0;
    const progress = createProgress({ isTTY, write: (text) => written.push(text) }, () => now);
    return { written, progress, pass: (ms: number) => (now += ms) };
  };

  it('rewrites its line in a terminal', () => {
    const { written, progress } = record(true);
    for (const line of ['1 of 2', '1 of 2', '2 of 2']) progress.show(line);
    progress.end();
    expect(written.join('')).toBe('\r\x1b[2K1 of 2\r\x1b[2K2 of 2\n');
  });

  it('writes a line every two seconds elsewhere', () => {
    const { written, progress, pass } = record(false);
    progress.show('1 of 3');
    progress.show('2 of 3');
    pass(2000);
    progress.show('3 of 3');
    progress.end();
    expect(written).toEqual(['1 of 3\n', '3 of 3\n']);
  });
});

it.each([40, 80])('folds sentences at %i columns, and never code or a command', (columns) => {
  const code = RECEIVER.replaceAll(/^/gm, '  ');
  const command = `  ANNOUNCE_SECRET=${'x'.repeat(44)} node receiver.mjs`;
  const sentence = 'Announcements are signed with a secret, and nobody else can make them so, whoever that may be.';
  const lines = fold(`${sentence}\n${command}\n${code}`, columns);
  expect(lines.endsWith(`\n${command}\n${code}`)).toBe(true);
  const [first = '', second] = lines.split('\n');
  expect(first.length).toBeLessThanOrEqual(columns);
  expect(`${first} ${second}`).toBe(sentence.slice(0, first.length + 1 + String(second).length));
});

it('a list has as many columns as have room, with long texts cut', () => {
  const row = { id: 'order:9104:31004581', title: 'A long sentence of what is wrong, and where. '.repeat(9) };
  const place = 'x'.repeat(60);
  const shown = page({ items: [row, { ...row, place, more: place }] }, ['id', 'title', 'since', 'place', 'more']);
  expect(shown).toMatch(/^id +title +place\n/);
  for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});

it('lists in an answer are tables where they fit, and else records', () => {
  const answer = { state: 'open', of: { none: null, count: 1 }, short: [{ a: 1, b: null }], long: [{ text: 'x\ny' }] };
  expect(describeAnswer(answer)).toBe('state  open\nof     count: 1\n\nShort\na\n─\n1\n\nLong\ntext  x\n      y');
  expect(describeAnswer({ none: [], nobody: null })).toBe('Nothing.');
});

it('a report of the doctor is indented below what it is about', () => {
  const check = { area: 'store', name: 'data folder' } as const;
  const found = 'something that takes more than a line';
  const report = describeChecks([{ ...check, verdict: 'warning', found, advice: `mend ${found}` }], {
    paint: (_, text) => text,
    columns: 40,
  });
  expect(report).toBe(
    `store
  warning  data folder: something that
           takes more than a line
           → mend something that takes
             more than a line

0 ok, 1 warning, 0 failed, 0 skipped`,
  );
});

it('a log in a terminal is a line for each record, without stacks and control characters', () => {
  const written: string[] = [];
  const screen = { isTTY: true, write: (text: string) => written.push(text) } as unknown as typeof process.stderr;
  const logger = openLogger({ LOG_LEVEL: 'info' }, screen);
  logger.error({ err: new Error('DEADLINE_EXCEEDED\n\u001b[31mred'), tenant: '9104' }, 'Temporal does not answer');
  expect(written).toEqual(['error: Temporal does not answer: DEADLINE_EXCEEDED [31mred (tenant 9104)\n']);
});
