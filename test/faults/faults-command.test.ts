import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseFaultsOptions } from './faults-options.ts';

const run = promisify(execFile);
const command = (...args: readonly string[]) =>
  run(process.execPath, [join(import.meta.dirname, './faults-command.ts'), ...args]);
const parse = (...args: readonly string[]) => parseFaultsOptions(args, () => 42);

describe('the options', () => {
  it('are 20 rounds, a minute, every fault and a seed of its own by default', () => {
    const { runs, ...options } = parse();
    expect(options).toMatchObject({ rounds: 20, seconds: 60, seed: 42, json: false, list: false });
    expect(runs.length).toBeGreaterThan(20);
  });

  it('are short with --quick, where not said otherwise', () => {
    expect(parse('--quick')).toMatchObject({ rounds: 2, seconds: 5 });
    expect(parse('--quick', '--rounds', '7')).toMatchObject({ rounds: 7, seconds: 5 });
  });

  it('choose a fault with every database, or with one', () => {
    const chosen = (name: string) => parse('--only', name).runs.map(({ database }) => database);
    expect(chosen('kill-service')).toEqual(['sqlite', 'postgres']);
    expect(chosen('kill-service/postgres')).toEqual(['postgres']);
  });

  it.each([
    [['--only', 'flood'], '--only: there is no fault flood; --list names them all'],
    [['--rounds', '0'], '--rounds must be a whole number from 1'],
    [['--seed', 'x'], '--seed must be a whole number from 1'],
  ])('refuse %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});

describe('npm run faults', () => {
  it('lists its faults', async () => {
    const { stdout } = await command('--list');
    for (const name of ['kill-worker', 'warehouse-401', 'disk-full', 'sigterm', 'workflows-reset']) {
      expect(stdout).toContain(`\n${name} `);
    }
  });

  it('kills the service under load, loses nothing, and says so in one object', async () => {
    const { stdout } = await command(
      '--only',
      'kill-service/sqlite',
      '--quick',
      '--rounds',
      '1',
      '--seed',
      '5',
      '--json',
    );
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ seed: 5, well: true, missing: 0, duplicates: 0, outOfOrder: 0 });
    expect(result.faults['kill-service/sqlite'].accepted).toBeGreaterThan(20);
  }, 150_000);
});

describe('a process that is told to stop', () => {
  it('goes unready before it closes, ends well and announces everything once', async () => {
    const { stdout } = await command('--only', 'sigterm/sqlite', '--quick', '--rounds', '1', '--seed', '5', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ well: true, missing: 0, duplicates: 0, outOfOrder: 0, repeated: 0 });
  }, 150_000);
});
