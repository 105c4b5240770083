import { describe, expect, it } from 'vitest';
import type { Section } from '../bench-options.ts';
import { planOf } from './comparison.ts';
import { contenders, situations } from './rows.ts';

const plansOf = (quick: boolean, ...sections: readonly Section[]) =>
  contenders.map((contender) => planOf(contender, { quick, sections: new Set(sections) }));

const [slowly16, slowlyBurst] = situations.filter(({ getMs }) => getMs > 0);
const [paced16, paced64, burst] = situations.filter(({ getMs }) => getMs === 0);
const nothing = { situations: [], latency: false, cost: false };

/** Plans of the textbook, and of inline and regular activities on SQLite and on PostgreSQL. */
describe('a comparison', () => {
  it('measures every contender in every situation', () => {
    const all = { situations: [paced16, paced64, burst, slowly16, slowlyBurst], latency: true, cost: false };
    expect(plansOf(false, 'comparison', 'latency')).toEqual([all, all, all, all, all]);
  });

  it('leaves out PostgreSQL, slow counterparts and regular activities with --quick', () => {
    const fast = { situations: [paced16, paced64, burst], latency: true, cost: false };
    expect(plansOf(true, 'comparison', 'latency')).toEqual([fast, fast, nothing, nothing, nothing]);
  });

  it('measures for the cost alone a burst and single events, on SQLite', () => {
    const cost = { situations: [burst], latency: true, cost: true };
    for (const quick of [true, false]) expect(plansOf(quick, 'cost')).toEqual([nothing, cost, cost, nothing, nothing]);
  });
});
