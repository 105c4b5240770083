import { describe, expect, it } from 'vitest';
import { parseBenchOptions, usage } from './bench-options.ts';
import { full, quick, sections } from './extent.ts';

const parse = (...args: readonly string[]) => parseBenchOptions(args);

describe('the options of the benchmark', () => {
  it('are everything, thoroughly, by default', () => {
    const { sections: chosen, ...options } = parse();
    expect(options).toEqual({ extent: full, quick: false, json: false, help: false });
    expect([...chosen]).toEqual([...sections]);
  });

  it('are little of the most important parts with --quick', () => {
    const { sections: chosen, extent } = parse('--quick');
    expect(extent).toEqual(quick);
    expect([...chosen]).toEqual(['intake', 'endToEnd', 'cost', 'quiet']);
  });

  it('choose parts, which are measured in their own order', () => {
    expect([...parse('--only', 'hostile', '--only', 'cost').sections]).toEqual(['cost', 'hostile']);
    expect([...parse('--quick', '--only', 'memory').sections]).toEqual(['memory']);
  });

  it('say how much, beside everything else that is quick or thorough', () => {
    const modes = (extent: typeof full) => ({ ...extent.modes, orders: 7 });
    expect(parse('--orders', '7', '--rounds', '2').extent).toEqual({
      ...full,
      ...{ orders: 7, rounds: 2, modes: modes(full) },
    });
    expect(parse('--quick', '--orders', '7').extent).toEqual({ ...quick, orders: 7, modes: modes(quick) });
  });

  it('say where the picture goes', () => {
    expect(parse('--svg', 'bench.svg').svg).toBe('bench.svg');
  });

  it.each([
    [['--only', 'flood'], '--only: there is no section flood, but intake, endToEnd, cost,'],
    [['--orders', '0'], '--orders must be a whole number from 1 to 1,000,000'],
    [['--rounds', '1.5'], '--rounds must be a whole number from 1 to 1,000,000'],
    [['--fast'], "Unknown option '--fast'"],
  ])('refuse %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it('are all explained', () => {
    for (const name of [...sections, '--quick', '--only', '--orders', '--rounds', '--svg', '--json', '--help'])
      expect(usage).toContain(name);
  });
});
