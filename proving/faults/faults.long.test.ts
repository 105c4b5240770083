import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createFaultsCommand, type FaultsOptions } from './faults-options.ts';

async function parse(...args: readonly string[]): Promise<FaultsOptions> {
  const parsed: FaultsOptions[] = [];
  const command = createFaultsCommand(async (options) => void parsed.push(options));
  await command.parseAsync(args, { from: 'user' });
  return parsed[0] ?? expect.fail('the command does not run');
}

describe('the options of npm run faults', () => {
  it('are 20 rounds, a minute and every fault by default', async () => {
    const { runs, ...options } = await parse();
    expect(options).toEqual({
      rounds: 20,
      seconds: 60,
      quietMs: 10_000,
      temporal: 'development',
      alerts: false,
      json: false,
      list: false,
    });
    expect(runs.length).toBeGreaterThan(20);
  });

  it('are short with --quick, unless set', async () => {
    expect(await parse('--quick')).toMatchObject({ rounds: 2, seconds: 5, quietMs: 2_000 });
    expect(await parse('--quick', '--rounds', '7', '--seed', '42')).toMatchObject({ rounds: 7, seconds: 5, seed: 42 });
  });

  it('select a fault with every database, or with one', async () => {
    const selected = async (...names: readonly string[]) =>
      (await parse(...names.flatMap((name) => ['--only', name]))).runs.map(
        ({ fault, database }) => `${fault.name}/${database}`,
      );
    expect(await selected('kill-temporal')).toEqual(['kill-temporal/sqlite', 'kill-temporal/postgres']);
    expect(await selected('sigterm/sqlite', 'kill-service/postgres')).toEqual([
      'kill-service/postgres',
      'sigterm/sqlite',
    ]);
  });

  it.each([
    [['--only', 'flood'], "argument 'flood' is invalid. There is no such fault; --list lists them."],
    [['--rounds', '0'], '--rounds must be a whole number from 1'],
    [['--seed', 'x'], '--seed must be a whole number from 1'],
  ])('refuse %j', async (args, message) => {
    await expect(parse(...args)).rejects.toThrow(message);
  });
});

const command = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [join(import.meta.dirname, './faults-command.ts'), ...args])).stdout;

describe.concurrent('npm run faults', () => {
  it('lists its faults', async ({ expect }) => {
    const stdout = await command('--list');
    for (const name of ['kill-worker', 'warehouse-401', 'disk-full', 'sigterm', 'workflows-reset']) {
      expect(stdout).toContain(`\n${name} `);
    }
  });

  it('kills the service under load, loses nothing, and prints one object', async ({ expect }) => {
    const stdout = await command(
      ...['--only', 'kill-service/sqlite', '--quick', '--rounds', '1', '--seed', '5', '--json'],
    );
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ seed: 5, well: true, missing: 0, duplicates: 0, outOfOrder: 0 });
    expect(result.faults['kill-service/sqlite'].accepted).toBeGreaterThan(20);
  });

  it('stops the service, which fails readiness first, exits well and announces everything once', async ({ expect }) => {
    const stdout = await command(...['--only', 'sigterm/sqlite', '--quick', '--rounds', '1', '--seed', '5', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ well: true, missing: 0, duplicates: 0, outOfOrder: 0, repeated: 0 });
  });
});
