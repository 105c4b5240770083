import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/temporal-server.ts';
import type { Results } from './results.ts';

const run = promisify(execFile);
const command = (...args: readonly string[]) =>
  run(process.execPath, [join(import.meta.dirname, './bench-command.ts'), ...args]);

const measured = { median: expect.any(Number), min: expect.any(Number), max: expect.any(Number) };
const rates = { '16': measured, '64': measured, burst: measured };

describe('npm run bench', () => {
  it('says how it is used', async () => {
    expect((await command('--help')).stdout).toContain('Usage: npm run bench');
  });

  it('names what it does not understand, and fails', async () => {
    await expect(command('--only', 'flood')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('bench: --only: there is no section flood'),
    });
  });

  it('follows orders from end to end, loses nothing, and says so in one object and a picture', async () => {
    const folder = await createFolder();
    const svg = join(folder.path, 'bench.svg');
    const chosen = ['--only', 'endToEnd', '--only', 'cost', '--svg', svg];
    try {
      const { stdout, stderr } = await command('--quick', '--orders', '4', ...chosen, '--json');
      expect(stdout.trim().split('\n')).toHaveLength(1);
      const results: Results = JSON.parse(stdout);
      expect(results).toMatchObject({
        ...{ quick: true, workload: { orders: 4, events: 24, rounds: 1 }, lost: 0, duplicates: 0, outOfOrder: 0 },
        ...{ intake: null, quiet: null, modes: null, slowWarehouse: null, growth: null, memory: null, hostile: null },
        endToEnd: { rates: { textbook: rates, sqlite: rates } },
      });
      const { inline, regular } = results.cost ?? expect.fail();
      for (const { oneByOne, burst } of [inline, regular]) {
        expect(oneByOne.signals).toBeGreaterThanOrEqual(6);
        expect(burst.signals).toBeLessThan(oneByOne.signals);
        for (const { events, bytes, actions, calls } of [oneByOne, burst])
          expect(Math.min(events, bytes, actions, calls)).toBeGreaterThan(0);
      }
      // Each event has one to retrieve and one to announce; inline there are some only where a machine is very slow.
      expect(regular.oneByOne.activities).toBeGreaterThanOrEqual(12);
      expect(inline.oneByOne.activities).toBeLessThan(regular.oneByOne.activities);
      expect(stderr).toContain('end to end, events a second');
      expect(await readFile(svg, 'utf8')).toContain('Dockline on SQLite');
    } finally {
      await folder.remove();
    }
  }, 240_000);
});
