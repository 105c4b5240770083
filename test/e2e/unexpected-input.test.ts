import { describe, expect, it } from 'vitest';
import { createOrder, expectGapless, newestRun } from '../support/interrupted-order.ts';
import { useSystem } from '../support/shared-system.ts';

const shared = useSystem();

/** Creates an announced order in the shared system. */
async function startWithOrder() {
  const system = shared();
  return { system, id: await createOrder(system) };
}

const unexpectedSignals: readonly (readonly [title: string, signal: string, argument: unknown])[] = [
  ['events with a string', 'events', 'nothing'],
  ['events with null', 'events', null],
  ['events with a number', 'events', 7],
  ['events with an object', 'events', { id: '1' }],
  ['events with an array of anything', 'events', [null, 7, {}, []]],
  ['events with ten thousand ids', 'events', Array.from({ length: 10_000 }, (_, index) => `0:${index}`)],
  ['resend with a string', 'resend', 'nothing'],
  ['resend with null', 'resend', null],
  ['resend with an object', 'resend', { id: '1' }],
  ['resend with an array of anything', 'resend', [null, 7, {}, []]],
  ['an unknown name', 'shipped', { id: '1' }],
];

describe('a workflow that is signaled', () => {
  it.each(unexpectedSignals)('%s continues and answers', async (_title, signal, argument) => {
    const { system, id } = await startWithOrder();
    const { handle } = await newestRun(system, id);
    await handle.signal(signal, argument);
    await expectGapless(system, id, 'created');
    const expected = { stage: 'created', attention: [], lifecycle: { revision: 2 } };
    expect(await system.view(id)).toMatchObject(expected);
    expect(await handle.query('timeline')).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(await handle.executeUpdate('refresh')).toMatchObject(expected);
    expect(system.receiver.tally()).toEqual({ received: 2, duplicates: 0, outOfOrder: 0 });
  });
});

describe('a workflow that gets an update', () => {
  it.each(['refresh', 'release', 'polish'])('"%s" with unexpected arguments continues and answers', async (name) => {
    const { system, id } = await startWithOrder();
    const { handle } = await newestRun(system, id);
    for (const args of [['nothing'], [null], [7, {}, []]] as [unknown, ...unknown[]][]) {
      // It may be rejected, but not left unanswered.
      await handle.executeUpdate(name, { args }).catch(() => undefined);
    }
    await expectGapless(system, id, 'created');
    expect(await handle.executeUpdate('refresh')).toMatchObject({ stage: 'created', lifecycle: { revision: 2 } });
    expect(system.receiver.tally()).toEqual({ received: 2, duplicates: 0, outOfOrder: 0 });
  });
});
