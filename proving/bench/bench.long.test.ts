import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type BenchOptions, createBenchCommand, full, quick, sections } from './bench-options.ts';
import { type Results, report } from './report.ts';

async function parse(...args: readonly string[]): Promise<BenchOptions> {
  const parsed: BenchOptions[] = [];
  const command = createBenchCommand(async (options) => void parsed.push(options));
  await command.parseAsync(args, { from: 'user' });
  return parsed[0] ?? expect.fail('the command does not run');
}

describe('the options of npm run bench', () => {
  it('are every section at full scale by default', async () => {
    expect(await parse()).toEqual({
      sections: new Set(sections),
      scale: full,
      quick: false,
      json: false,
      against: undefined,
    });
  });

  it('are the main sections at a small scale with --quick', async () => {
    const main = new Set(['intake', 'comparison', 'latency', 'cost']);
    expect(await parse('--quick')).toEqual({
      sections: main,
      scale: quick,
      quick: true,
      json: false,
      against: undefined,
    });
  });

  it('select sections and override the scale', async () => {
    const { sections: selected, scale } = await parse(
      '--only',
      'hostile',
      '--only',
      'cost',
      '--orders',
      '2',
      '--rounds',
      '7',
    );
    expect(selected).toEqual(new Set(['hostile', 'cost']));
    expect(scale).toEqual({ ...full, orders: 2, rounds: 7, idleOrders: 2, allowedOrders: [2] });
  });

  it.each([
    [
      ['--only', 'flood'],
      "'flood' is invalid. Allowed choices are intake, comparison, latency, cost, allowed, signals, receivers, hostile",
    ],
    [['--orders', '0'], '--orders must be a whole number from 1 to 1,000,000'],
    [['--fast'], "unknown option '--fast'"],
  ])('refuse %j', async (args, message) => {
    await expect(parse(...args)).rejects.toThrow(message);
  });
});

it('npm run bench says which commit it does not know', async () => {
  const program = join(import.meta.dirname, './bench-command.ts');
  const failed = await promisify(execFile)(process.execPath, [program, '--against', 'nowhere']).catch((error) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere is no commit of this repository') });
});

const textbook = { integration: 'textbook', mode: null };
const inline = { integration: 'sqlite', mode: 'inline' };
const regular = { integration: 'sqlite', mode: 'regular' };

it('npm run bench compares Dockline with the textbook, counts the cost of an order, and reports the figures of each round', async () => {
  const program = join(import.meta.dirname, './bench-command.ts');
  const only = ['comparison', 'latency', 'cost'].flatMap((section) => ['--only', section]);
  const args = [program, '--quick', '--orders', '1', ...only, '--json'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain('\nDockline: 0 lost, 0 duplicates, 0 out of order.\n');
  const results: Results = JSON.parse(stdout);
  expect(results).toMatchObject({ quick: true, lost: 0, duplicates: 0, outOfOrder: 0, intake: [], hostile: [] });
  expect(stderr).toContain(report(results));

  const { comparison, latency, cost } = results;
  const fast = { getMs: 0, destinationMs: 0 };
  expect(comparison).toMatchObject([
    ...['16', '64'].flatMap((pattern) => [textbook, inline].map((one) => ({ ...one, ...fast, pattern }))),
    ...[textbook, inline, regular].map((one) => ({ ...one, ...fast, pattern: 'burst' })),
  ]);
  expect(latency).toMatchObject([textbook, inline, regular]);
  for (const { measured } of [...comparison, ...latency]) {
    expect(measured.rounds).toEqual([measured.median]);
    expect(measured.median).toBeGreaterThan(0);
  }

  expect(cost).toMatchObject(
    [inline, regular].flatMap((one) => ['one by one', 'burst'].map((sent) => ({ ...one, sent }))),
  );
  const [inlineOneByOne, inlineBurst, regularOneByOne, regularBurst] = cost.map(({ mean }) => mean);
  for (const one of [inlineOneByOne, regularOneByOne]) expect(one?.signals).toBeGreaterThanOrEqual(6);
  for (const burst of [inlineBurst, regularBurst]) expect(burst?.signals).toBeLessThan(6);
  for (const { mean, rounds } of cost) {
    expect(rounds).toEqual([mean]);
    expect(Math.min(mean.events, mean.bytes, mean.actions, mean.calls)).toBeGreaterThan(0);
  }
  // Inline, some run as regular activities only where a machine is very slow.
  expect(regularOneByOne?.activities).toBeGreaterThanOrEqual(6);
  expect(inlineOneByOne?.activities).toBeLessThan(regularOneByOne?.activities ?? 0);
});
