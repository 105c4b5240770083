import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'vitest';

const command = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [join(import.meta.dirname, './faults-command.ts'), ...args])).stdout;

describe.concurrent('npm run faults', () => {
  it('lists its faults', async ({ expect }) => {
    const stdout = await command('--list');
    for (const name of ['kill-worker', 'warehouse-401', 'disk-full', 'sigterm', 'workflows-disturbed']) {
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
});
