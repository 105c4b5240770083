import { describe, expect, inject, it } from 'vitest';
import { measureGrowth } from './growth.ts';

const tiny = { small: 200, large: 1000, sample: 120, rounds: 2 };

/** Measures beside tiny backlogs; every row is counted afterwards, or it rejects. */
async function measure(postgresServer: string) {
  const lines: string[] = [];
  const result = await measureGrowth({ ...tiny, postgresServer, say: (line) => lines.push(line) });
  return { result, lines };
}

const ratios = { intake: expect.any(Number), observing: expect.any(Number) };
const rows = { small: 200, large: 1000 };

describe('growth', () => {
  it.skipIf(!inject('postgres'))('is measured on both databases, and no row is missing afterwards', async () => {
    const { result, lines } = await measure(inject('postgres')?.server ?? '');
    expect(result).toEqual({ rows, sqlite: ratios, postgres: ratios });
    for (const { intake, observing } of [result.sqlite, result.postgres ?? result.sqlite])
      expect(Math.min(intake, observing)).toBeGreaterThan(0);
    expect(lines.filter((line) => line.endsWith(' at 1000'))).toHaveLength(4);
  });

  it('is measured on SQLite alone where there is no PostgreSQL, which is said', async () => {
    const { result, lines } = await measure('postgres://postgres@127.0.0.1:1/postgres');
    expect(result).toEqual({ rows, sqlite: ratios, postgres: null });
    expect(lines.join('\n')).toContain('growth on PostgreSQL is left out: ');
  });
});
