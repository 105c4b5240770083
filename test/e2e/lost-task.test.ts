import { expect, it } from 'vitest';
import { createAnnouncement } from '../../src/announce/cloud-event.ts';
import { observe } from '../../src/domain/observe.ts';
import { toSignaledEvent } from '../../src/domain/signaled-event.ts';
import type { SubjectRef } from '../../src/domain/subject.ts';
import { startSystem } from '../support/system.ts';

type System = Awaited<ReturnType<typeof startSystem>>;

/** Records what a worker would have that died before it could tell Temporal of it. */
async function recordAsLostTask({ service }: System, subject: SubjectRef, ...events: Parameters<typeof observe>[1]) {
  const { subjects } = service().store;
  const before = await subjects.recall(subject);
  if (!before) throw new Error('nothing is recorded yet');
  const { lifecycle, changes } = observe(before.lifecycle, events, null);
  const announcements = changes.map((change) => createAnnouncement({ subject, change, lifecycle, resources: {} }));
  await subjects.record(subject, lifecycle, announcements);
}

it('what a lost workflow task recorded stands, is announced, and is gone on from', async () => {
  const system = await startSystem();
  const { simulator, announced, receiver, view } = system;
  const { tplId } = simulator;
  const id = simulator.createOrder();
  const subject: SubjectRef = { tenant: String(tplId), kind: 'order', id };
  await simulator.emit(id, 'OrderCreate');
  await expect.poll(() => announced(id)).toEqual(['1/created']);

  const assigned = await simulator.emit(id, 'OrderPickJobUserAssigned', { deliver: false });
  const unassigned = await simulator.emit(id, 'OrderPickJobUserUnassigned', { deliver: false });
  const known = [assigned, unassigned].flatMap(({ id: eventId, time, name }) => {
    const event = toSignaledEvent({ id: eventId, tenant: subject.tenant, name, time, subject: 'order', subjectId: id });
    return event ? [event] : [];
  });
  await recordAsLostTask(system, subject, ...known);

  // The task that is done in its place has seen the second event only.
  await simulator.deliver(unassigned);
  await expect.poll(() => announced(id)).toEqual(['1/created', '2/pickerAssigned', '3/pickerUnassigned']);
  await simulator.deliver(assigned);
  await simulator.emit(id, 'OrderFullyAllocated');
  await expect.poll(() => announced(id)).toContain('4/fullyAllocated');
  expect(announced(id)).toHaveLength(4);
  expect(receiver.tally()).toEqual({ received: 4, duplicates: 0, outOfOrder: 0 });
  expect(await view(id)).toMatchObject({ lifecycle: { revision: 4 }, waiting: { events: 0, announcements: 0 } });
});
