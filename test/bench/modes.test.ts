import { describe, expect, inject, it } from 'vitest';
import { type ModeFigure, measureModes, rowsOf } from './modes.ts';

const atOnce = { getMs: 0, destinationMs: 0, pattern: 'burst' } as const;
const slowly = { getMs: 150, destinationMs: 50, pattern: '16' } as const;
const textbook = { integration: 'textbook', mode: null } as const;
const inline = { integration: 'sqlite', mode: 'inline' } as const;
const regular = { integration: 'sqlite', mode: 'regular' } as const;

const at = (
  one: Pick<ModeFigure, 'integration' | 'mode'>,
  situation: Pick<ModeFigure, 'getMs' | 'destinationMs' | 'pattern'>,
  ...rates: readonly number[]
): ModeFigure[] => rates.map((eventsPerSecond) => ({ ...one, ...situation, eventsPerSecond }));

describe('the rows of both modes', () => {
  it('have the medians of all rounds, and what each round gave', () => {
    const [row] = rowsOf(at(inline, slowly, 90, 120, 100));
    expect(row).toMatchObject({ ...inline, ...slowly, rounds: [90, 120, 100] });
    expect(row?.eventsPerSecond).toEqual({ median: 100, min: 90, max: 120 });
  });

  it('are compared within a round', () => {
    const rows = rowsOf([
      ...at(textbook, slowly, 10, 20, 40),
      ...at(inline, slowly, 50, 60, 80),
      ...at(regular, slowly, 25, 48, 60),
    ]);
    // 5, 3 and 2; 2.5, 2.4 and 1.5; 0.5, 0.8 and 0.75.
    expect(rows.map(({ toTextbook, toInline }) => [toTextbook, toInline])).toEqual([
      [1, null],
      [3, null],
      [2.4, 0.75],
    ]);
  });

  it('keep situations and databases apart', () => {
    const postgres = { integration: 'postgres', mode: 'inline' } as const;
    const rows = rowsOf([...at(inline, slowly, 50), ...at(inline, atOnce, 500), ...at(postgres, atOnce, 300)]);
    expect(rows.map(({ getMs, integration, eventsPerSecond: { median } }) => [getMs, integration, median])).toEqual([
      [0, 'sqlite', 500],
      [0, 'postgres', 300],
      [150, 'sqlite', 50],
    ]);
  });

  it('have no ratio to what did not run', () => {
    const [row] = rowsOf(at(regular, atOnce, 500));
    expect([row?.toTextbook, row?.toInline]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe('both modes', () => {
  it('are measured in every situation beside the textbook, and lose nothing', async () => {
    const lines: string[] = [];
    const surroundings = {
      ...{ temporalBinary: inject('temporalBinary'), postgresServer: '', hasPostgres: false },
      ...{
        path: process.env.PATH ?? '',
        say: (line: string) => lines.push(line),
        signal: new AbortController().signal,
      },
    };
    const modes = { orders: 2, warmUpOrders: 1 };
    const { result, verdicts } = await measureModes(surroundings, { rounds: 1, modes });
    expect(result.orders).toBe(2);
    const three = [textbook, inline, regular];
    const all = [...[{ ...atOnce, pattern: '16' }, atOnce], ...[slowly, { ...slowly, pattern: 'burst' }]].flatMap(
      (situation) => three.map((one) => ({ ...situation, ...one })),
    );
    expect(result.rows).toMatchObject(all);
    for (const { eventsPerSecond } of result.rows) expect(eventsPerSecond.median).toBeGreaterThan(0);
    expect(verdicts).toEqual([1, 2].map(() => ({ lost: 0, duplicates: 0, outOfOrder: 0 })));
    expect(lines).toContain('sqlite regular: 0 lost, 0 duplicates, 0 out of order');
  }, 180_000);
});
