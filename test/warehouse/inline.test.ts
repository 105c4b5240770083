import { describe, expect, it } from 'vitest';
import { createPace } from '../../src/warehouse/client/pace.ts';
import { createInline } from '../../src/warehouse/inline.ts';
import { never } from './open-warehouse.ts';

/** Two warehouses of ten calls a second each, at a time that the test sets. */
function open({ isInline = () => true }: { readonly isInline?: () => boolean } = {}) {
  const clock = { time: 1_000_000 };
  const now = () => clock.time;
  const paces = { '1': createPace(10, now), '2': createPace(10, now) };
  const paceOf = (tenant: string) => paces[tenant as keyof typeof paces];
  const inline = createInline({ isInline, isFree: (tenant, calls) => paceOf(tenant).isFree(calls), now });
  const call = async (tenant: string, times: number) => {
    for (let count = 0; count < times; count += 1) await paceOf(tenant).next(never);
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
    expect(inline.mayAnnounce('1')).toBe(true);
    expect(inline.mayRetrieve('2')).toBe(true);
    clock.time += 1050;
    expect(inline.mayRetrieve('1')).toBe(true);
  });

  it.each([
    ['retrieve', 'mayRetrieve', 'mayAnnounce'],
    ['announce', 'mayAnnounce', 'mayRetrieve'],
  ] as const)(
    'to %s is not tried inline for five seconds after a failure of its own tenant',
    (activity, may, mayOther) => {
      const { clock, inline } = open();
      inline.failed('1', activity);
      clock.time += 4999;
      expect(['1', '2'].map(inline[may])).toEqual([false, true]);
      expect(inline[mayOther]('1')).toBe(true);
      clock.time += 1;
      expect(inline[may]('1')).toBe(true);
      clock.time += 1000;
      inline.failed('1', activity);
      clock.time += 4999;
      expect(inline[may]('1')).toBe(false);
    },
  );
});
