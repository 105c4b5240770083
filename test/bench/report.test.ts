import { describe, expect, it } from 'vitest';
import { goalsOf } from './goals.ts';
import { report } from './report.ts';
import { good, short } from './sample-results.ts';

/** The lines of a report, with a bar between columns however wide they are. */
const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));

describe('the goals', () => {
  it('are all reached by good results, and have names of their own', () => {
    const goals = goalsOf(good);
    expect(goals.filter(({ reached }) => reached !== true)).toEqual([]);
    expect(new Set(goals.map(({ name }) => name)).size).toBe(goals.length);
  });

  it('are reached at the goal itself, and missed beyond it', () => {
    const reachedAt = (ratio: number, lost: number) =>
      goalsOf({ ...good, lost, intake: { ...good.intake, ratio } })
        .filter(({ name }) => ['intake', 'lost'].includes(name))
        .map(({ reached }) => reached);
    expect(reachedAt(0.4, 0)).toEqual([true, true]);
    expect(reachedAt(0.399, 1)).toEqual([false, false]);
  });

  it('are open where nothing was measured, or nothing that is a number', () => {
    const open = goalsOf({ ...short, quiet: { ratio: Number.NaN, ms: {} } }).filter(({ reached }) => reached === null);
    expect(open.map(({ name, measured }) => [name, measured])).toEqual([
      ['one webhook on an idle system', null],
      ['slow warehouse', null],
      ['intake at a large backlog, SQLite', null],
      ['observing at a large backlog, SQLite', null],
      ['intake at a large backlog, PostgreSQL', null],
      ['observing at a large backlog, PostgreSQL', null],
      ['peak memory of the service', null],
      ['good traffic beside hostile input', null],
    ]);
  });
});

describe('the report', () => {
  it('says of every goal what was measured and whether it is reached', () => {
    const lines = linesOf(report(good));
    const answers = lines.slice(lines.indexOf('figure | measured | goal | reached') + 2);
    for (const [index, { name }] of goalsOf(good).entries())
      expect(answers[index]).toSatisfy((line: string) => line.startsWith(`${name} | `) && line.endsWith(' | yes'));
    expect(lines).toContain('size of the history | 23,000 bytes | ≤ 24,576 | yes');
    expect(lines).toContain('lost | 0 | 0 | yes');
    expect(lines.at(-1)).toBe('No goal is missed.');
  });

  it('says plainly which goals are missed', () => {
    const text = report({ ...good, lost: 3, endToEnd: { ...good.endToEnd, ratio64: 4.2 } });
    expect(linesOf(text)).toContain('end to end, 64 orders at a time | 4.2 × the textbook | ≥ 5 | no');
    expect(text).toContain(`
missed: end to end, 64 orders at a time is 4.2 × the textbook, not ≥ 5
missed: lost is 3, not 0
NOT all goals are reached: 2 of 21 are missed.`);
  });

  it('never rounds a missed goal to a reached one', () => {
    const lines = linesOf(report({ ...good, intake: { ...good.intake, ratio: 0.39996, p99Ms: 25.0004 } }));
    expect(lines).toContain('intake | 0.39996 × bare Fastify | ≥ 0.4 | no');
    expect(lines).toContain('slowest of a hundred answers | 25.0004 ms | ≤ 25 | no');
  });

  it('shows who was how fast, with the spread and the ratio', () => {
    const lines = linesOf(report(good));
    expect(lines).toContain('Dockline on PostgreSQL | 2,400 | 2,160–2,640 | 0.3×');
    expect(lines).toContain('Dockline on PostgreSQL | 16 | 300 | 270–330 | 5×');
    expect(lines).toContain('textbook | burst | 80 | 72–88 | 1×');
    expect(lines).toContain('Dockline on PostgreSQL | 42 | 37.8–46.2 | 1.4×');
  });

  it('has the ratio that is judged, not one of its own', () => {
    const lines = linesOf(report({ ...good, endToEnd: { ...good.endToEnd, ratio16: 5.1 } }));
    expect(lines).toContain('Dockline on SQLite | 16 | 330 | 297–363 | 5.1×');
  });

  it('tells of the slow warehouse, the backlog, memory and attacks what no goal is about', () => {
    const text = report(good);
    for (const words of ['4 of them refused', '1,000,000', '600 workflows cached', '4,000 attacks'])
      expect(text).toContain(words);
  });

  it('shows what an order costs in both modes', () => {
    const lines = linesOf(report(good));
    const heading = lines.findIndex((line) => line.startsWith('an order of six events | '));
    expect(lines[heading]).toMatch(
      / \| history \| bytes \| signals \| workflow tasks \| .* \| actions \| GETs an event$/,
    );
    expect(lines[heading + 2]).toBe('inline, one by one | 84 | 23,000 | 6 | 6 | 6 | 0 | 6 | 1 | 19 | 1.17');
    expect(lines[heading + 5]).toBe('regular, burst | 45 | 9,000 | 6 | 6 | 6 | 0 | 6 | 1 | 8.25 | 0.3');
  });

  it('shows how fast both modes are, to the textbook and to each other', () => {
    const lines = linesOf(report(good));
    expect(lines).toContain('textbook | 150 ms | 50 ms | 16 | 50 | 50–50 | 1× | —');
    expect(lines).toContain('Dockline on SQLite, inline | 150 ms | 50 ms | 16 | 100 | 100–100 | 2× | —');
    expect(lines).toContain('Dockline on SQLite, regular | 150 ms | 50 ms | 16 | 75 | 75–75 | 1.5× | 0.75×');
  });

  it('says what the host took of the machine where that is more than a little', () => {
    const withStolen = (stolenShare: number | null) => report({ ...good, machine: { ...good.machine, stolenShare } });
    expect(withStolen(0.234)).toContain('Node.js v24.21.0, 23 % of the CPU time taken by its host');
    for (const little of [null, 0, 0.019]) expect(withStolen(little)).not.toContain('its host');
  });

  it('leaves out what did not take part, and says what was not measured', () => {
    const text = report(short);
    expect(text).not.toContain('Dockline on PostgreSQL');
    expect(text).not.toMatch(/NaN|null|undefined|Infinity/);
    expect(linesOf(text)).toContain('slow warehouse | — | ≤ 1.2 | —');
    expect(linesOf(text).at(-1)).toBe('No goal is missed. 7 of 21 were not measured.');
    expect(text).toContain('a quick run');
  });

  it('has no ratio to a textbook that did not run', () => {
    const { sqlite, postgres } = good.endToEnd.rates;
    const rates = { ...(sqlite && { sqlite }), ...(postgres && { postgres }) };
    const text = report({ ...good, endToEnd: { ...good.endToEnd, rates, ratio16: Number.NaN } });
    expect(linesOf(text)).toContain('Dockline on SQLite | 16 | 330 | 297–363 | —');
    expect(linesOf(text)).toContain('Dockline on PostgreSQL | 16 | 300 | 270–330 | —');
  });
});
