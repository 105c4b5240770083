import { describe, expect, it } from 'vitest';
import { createCommand, numberOption } from '../../src/cli/command.ts';
import { sinceOption } from '../../src/cli/since.ts';

function parse(...args: readonly string[]) {
  return createCommand('npm run example --', 'An example.')
    .addOption(numberOption('--rounds <number>', 'number of rounds', { max: 1_000 }).default(20))
    .addOption(sinceOption('only since this time'))
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
    [['--rounds', '1001'], '--rounds must be a whole number from 1 to 1,000'],
    [['--rounds', '1.5'], '--rounds must be a whole number from 1 to 1,000'],
    [['--rounds', 'many'], '--rounds must be a whole number from 1 to 1,000'],
    [['--rounds'], 'argument missing'],
    [['--round', '3'], "unknown option '--round'\n(Did you mean --rounds?)"],
    [['3'], 'too many arguments'],
  ])('reject %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});
