import { describe, expect, it, onTestFinished } from 'vitest';
import type { ActivityDeps } from '../../activities/ports.ts';
import { record } from '../../activities/record.ts';
import { createAnnouncement } from '../../src/announce/cloud-event.ts';
import type { SignaledEvent } from '../../src/domain/event.ts';
import { unknownLifecycle } from '../../src/domain/lifecycle.ts';
import { observe } from '../../src/domain/observe.ts';
import { openStore } from '../../src/store/store.ts';

const subject = { tenant: '9104', kind: 'hold', id: '880' } as const;

const event = (id: number, onHold: boolean): SignaledEvent => ({
  id: `9104:${id}`,
  name: onHold ? 'InventoryPlaceOnHold' : 'InventoryReleaseFromHold',
  milestone: onHold ? 'placedOnHold' : 'releasedFromHold',
  time: id,
  plan: [],
  shown: { onHold },
});

/** The activity on a store in memory; `payloads` are the resources that came in messages. */
async function open(payloads: Readonly<Record<string, string>>) {
  const store = await openStore({ file: ':memory:' });
  onTestFinished(() => store.close());
  const { resources, subjects, outbox } = store;
  const deps = {
    ...{ resources, subjects, compose: createAnnouncement },
    payloads: { find: async (id: string) => payloads[id] },
  } as unknown as ActivityDeps;
  const dataOf = async (id = '') => JSON.parse((await outbox.unsent([id]))[0]?.body ?? 'null').data;
  return { deps, resources, dataOf };
}

describe('a recorded change', () => {
  it('is announced with the resource that came with its event, which is kept', async () => {
    const { deps, resources, dataOf } = await open({ '9104:1': '{"qty":5}', '9104:2': '{"qty":6}' });
    const { lifecycle, changes } = observe(unknownLifecycle, [event(1, true), event(2, false)], null);
    const input = { subject, lifecycle, changes: changes.map((change) => ({ change, resources: {} })) };
    const { left } = await record(deps, input);
    const [held, freed] = left;
    expect(await dataOf(held)).toMatchObject({ before: null, after: { onHold: true }, hold: { qty: 5 } });
    expect(await dataOf(freed)).toMatchObject({ before: { onHold: true }, after: { onHold: false }, hold: { qty: 6 } });
    expect((await resources.find('9104', 'hold', '880'))?.body).toBe('{"qty":6}');
    expect(await record(deps, input)).toEqual({ left });
  });

  it('that comes late does not take the place of what is newer', async () => {
    const { deps, resources, dataOf } = await open({ '9104:1': '{"qty":5}', '9104:2': '{"qty":6}' });
    const first = observe(unknownLifecycle, [event(2, false)], null);
    const second = observe(first.lifecycle, [event(1, true)], null);
    const changes = [...first.changes, ...second.changes].map((change) => ({ change, resources: {} }));
    const { left } = await record(deps, { subject, lifecycle: second.lifecycle, changes });
    expect(await dataOf(left[1])).toMatchObject({ late: true, hold: { qty: 5 } });
    expect((await resources.find('9104', 'hold', '880'))?.body).toBe('{"qty":6}');
  });

  it('is announced without a resource where none came', async () => {
    const { deps, dataOf } = await open({});
    const { lifecycle, changes } = observe(unknownLifecycle, [event(1, true)], null);
    const { left } = await record(deps, {
      subject,
      lifecycle,
      changes: [{ change: changes[0] as never, resources: {} }],
    });
    expect(await dataOf(left[0])).toMatchObject({ after: { onHold: true }, hold: null });
  });
});
