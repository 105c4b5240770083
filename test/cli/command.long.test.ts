import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCommand, momentOption, numberOption } from '../../src/cli/command.ts';
import { openFolder } from '../support/temporal-server.ts';
import { run } from './running-command.ts';

function parse(...args: readonly string[]) {
  return createCommand('npm run example --', 'An example.')
    .addOption(numberOption('--rounds <number>', 'number of rounds', { max: 1_000 }).default(20))
    .addOption(momentOption('since', 'only since this time'))
    .parse(args, { from: 'user' })
    .opts();
}

describe('the options of a command', () => {
  it('have defaults', () => {
    expect(parse()).toEqual({ rounds: 20 });
  });

  it('are parsed', () => {
    expect(parse('--json', '--rounds', '3')).toEqual({ json: true, rounds: 3 });
    const { since } = parse('--since', '2h', '--since', '1h');
    expect(since).toBeCloseTo(Date.now() - 3_600_000, -4);
  });

  it.each([
    [['--rounds', '0'], '--rounds must be a whole number from 1 to 1,000'],
    [['--rounds', '1.5'], '--rounds must be a whole number from 1 to 1,000'],
    [['--rounds'], 'argument missing'],
    [['--round', '3'], "unknown option '--round'\n(Did you mean --rounds?)"],
  ])('reject %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});

it('a command whose output nobody reads any more ends without a message', async () => {
  const { child, written, ended } = run('admin', ['--help']);
  child.stdout?.destroy();
  expect(await ended).toBe(0);
  expect(written.stderr).toBe('');
});

describe('the file .env in the working directory', () => {
  it('sets variables that the environment does not set; all that are invalid are named in one message', async () => {
    const path = await openFolder();
    await writeFile(join(path, '.env'), 'LOG_LEVEL=loud\nADMIN_PORT=many\n');
    const failed = run('start', [], { ADMIN_PORT: '0', DATABASE_URL: 'mysql://localhost' }, path);
    expect(await failed.ended).toBe(1);
    expect(failed.written.stderr).toMatch(
      /^dockline: The configuration has errors:\n {2}DATABASE_URL: .+\n {2}LOG_LEVEL: .+\n$/,
    );
  });
});
