import { describe, expect, it } from 'vitest';
import { createOffhand } from '../../src/warehouse/offhand.ts';
import { createPace } from '../../src/warehouse/pace.ts';
import { never } from './open-warehouse.ts';

/** Two warehouses of ten calls a second each, at a time that the test sets. */
function open({ isAlone = true } = {}) {
  const clock = { time: 1_000_000 };
  const now = () => clock.time;
  const paces = { '1': createPace(10, now), '2': createPace(10, now) };
  const paceOf = (tenant: string) => paces[tenant as keyof typeof paces];
  const offhand = createOffhand({ isAlone, isFree: (tenant, calls) => paceOf(tenant).isFree(calls), now });
  const call = async (tenant: string, times: number) => {
    for (let count = 0; count < times; count += 1) await paceOf(tenant).next(never);
  };
  return { clock, offhand, call };
}

describe('a warehouse', () => {
  it('can be asked offhand by the process that is alone', () => {
    expect(open().offhand.isWelcome('1')).toBe(true);
    expect(open({ isAlone: false }).offhand.isWelcome('1')).toBe(false);
  });

  it('cannot be asked offhand where its pace has no room for a whole retrieval', async () => {
    const { clock, offhand, call } = open();
    await call('1', 6);
    expect(offhand.isWelcome('1')).toBe(true);
    await call('1', 1);
    expect(offhand.isWelcome('1')).toBe(false);
    expect(offhand.isWelcome('2')).toBe(true);
    clock.time += 1050;
    expect(offhand.isWelcome('1')).toBe(true);
  });

  it('is not asked offhand for five seconds after a failure of its own', () => {
    const { clock, offhand } = open();
    offhand.failed('1');
    clock.time += 4999;
    expect(['1', '2'].map(offhand.isWelcome)).toEqual([false, true]);
    clock.time += 1;
    expect(offhand.isWelcome('1')).toBe(true);
    clock.time += 1000;
    offhand.failed('1');
    clock.time += 4999;
    expect(offhand.isWelcome('1')).toBe(false);
  });
});
