import { describe, expect, it } from 'vitest';
import { createPace } from '../../src/warehouse/client/pace.ts';
import { createInline } from '../../src/warehouse/inline.ts';
import { never } from './open-warehouse.ts';

const asked = { signal: never, rank: () => 0, withinMs: 1000 };

type Switches = Partial<Pick<Parameters<typeof createInline>[0], 'isInline' | 'isStopping'>>;

/** Two warehouses of ten calls a second each, at a time that the test sets. */
function open({ isInline = () => true, isStopping = () => false }: Switches = {}) {
  const clock = { time: 1_000_000 };
  const now = () => clock.time;
  const paces = { '1': createPace({ perSecond: 10, now }), '2': createPace({ perSecond: 10, now }) };
  const paceOf = (tenant: string) => paces[tenant as keyof typeof paces];
  const isFree = (tenant: string, calls: number) => paceOf(tenant).isFree(calls);
  const inline = createInline({ isInline, isFree, isStopping, now });
  const call = async (tenant: string, times: number) => {
    for (let count = 0; count < times; count += 1) {
      const turn = await paceOf(tenant).next(asked);
      turn.begin();
      turn.answered();
    }
  };
  return { clock, inline, call };
}

describe('an activity', () => {
  it('retrieves inline only while that is enabled', () => {
    let isWanted = true;
    const { inline } = open({ isInline: () => isWanted });
    expect(inline.mayRetrieve('1')).toBe(true);
    isWanted = false;
    expect(inline.mayRetrieve('1')).toBe(false);
  });

  it('retrieves inline only if the rate limit leaves room for a whole retrieval, and announces regardless', async () => {
    const { clock, inline, call } = open();
    await call('1', 6);
    expect(inline.mayRetrieve('1')).toBe(true);
    await call('1', 1);
    expect(inline.mayRetrieve('1')).toBe(false);
    expect(inline.mayAnnounce('1', 'default')).toBe(true);
    expect(inline.mayRetrieve('2')).toBe(true);
    clock.time += 1050;
    expect(inline.mayRetrieve('1')).toBe(true);
  });

  it('begins nothing inline once its process stops', () => {
    let isStopping = false;
    const { inline } = open({ isStopping: () => isStopping });
    isStopping = true;
    expect([inline.mayRetrieve('1'), inline.mayAnnounce('1', 'a')]).toEqual([false, false]);
  });

  it('does not try what has failed for five seconds: the GETs of a tenant, and each of its destinations', () => {
    const { clock, inline } = open();
    const may = () => [
      inline.mayRetrieve('1'),
      inline.mayRetrieve('2'),
      inline.mayAnnounce('1', 'a'),
      inline.mayAnnounce('1', 'b'),
      inline.mayAnnounce('2', 'a'),
    ];
    inline.retrievalFailed('1');
    clock.time += 4999;
    expect(may()).toEqual([false, true, true, true, true]);
    inline.announcingFailed('1', 'a');
    clock.time += 1;
    expect(may()).toEqual([true, true, false, true, true]);
    clock.time += 4999;
    expect(may()).toEqual([true, true, true, true, true]);
  });
});
