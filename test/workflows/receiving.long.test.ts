import { describe, expect, it } from 'vitest';
import { announcementOf } from '../consumer/workflow/announcements.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { useReceiving } from './run-receiving.ts';

quietRuntime();
const receiving = useReceiving();

const [created, packed, confirmed, unconfirmed] = [
  announcementOf(1, 'created'),
  announcementOf(2, 'packed'),
  announcementOf(3, 'confirmed'),
  announcementOf(4, 'unconfirmed'),
];

describe('waiting for a milestone', () => {
  it('resolves everybody who waits for it, also once it was reached before', async () => {
    await receiving().work();
    const { announce, milestones, handle } = receiving().begin('several');
    await announce(created, packed);
    await expect.poll(milestones).toEqual(['created', 'packed']);
    await announce(confirmed);
    expect(await handle.result()).toEqual([packed.id, packed.id, confirmed.id]);
  });

  it('does not resolve with what was taken back before', async () => {
    const { announce, milestones, handle } = receiving().begin('several');
    await announce(created, packed, confirmed, unconfirmed);
    await receiving().work();
    await expect.poll(milestones).toEqual(['created', 'packed', 'unconfirmed']);
    const again = announcementOf(5, 'confirmed');
    await announce(again);
    expect(await handle.result()).toEqual([packed.id, packed.id, again.id]);
  });

  it('sees what is taken back at once, in the same task', async () => {
    const { shutDown } = await receiving().work();
    const { announce, milestones, handle } = receiving().begin('several');
    await announce(created, packed);
    await expect.poll(milestones).toHaveLength(2);
    await shutDown();
    await announce(confirmed, unconfirmed);
    await receiving().work();
    expect(await handle.result()).toEqual([packed.id, packed.id, confirmed.id]);
  });

  it('ends without it after a timeout', async () => {
    await receiving().work();
    const { announce, handle } = receiving().begin('impatient');
    await announce(created);
    expect(await handle.result()).toBe('undefined');
  });

  it('ends when its scope is canceled, after which gaps still end', async () => {
    await receiving().work();
    const { announce, milestones, handle } = receiving().begin('canceled');
    await announce(created);
    await expect.poll(milestones).toEqual(['created']);
    await handle.cancel();
    await announce(confirmed);
    expect(await handle.result()).toBe(confirmed.id);
  });
});

describe('a gap', () => {
  it('ends after a time, and what was missing is dropped if it comes afterwards', async () => {
    await receiving().work();
    const { announce, milestones } = receiving().begin('listener');
    await announce(created, confirmed);
    await expect.poll(milestones).toEqual(['created', 'confirmed']);
    await announce(packed, unconfirmed);
    await expect.poll(milestones).toEqual(['created', 'unconfirmed']);
  });

  it('that is filled in time leaves no timer', async () => {
    await receiving().work();
    const { announce, milestones, handle } = receiving().begin('listener', '1 hour');
    await announce(created, confirmed);
    await expect.poll(milestones).toEqual(['created']);
    await announce(packed);
    await expect.poll(milestones).toEqual(['created', 'packed', 'confirmed']);
    await handle.signal('finish');
    expect(await handle.result()).toEqual(['created', 'packed', 'confirmed']);
    const { events } = await handle.fetchHistory();
    expect(events?.filter((event) => event.timerStartedEventAttributes)).toHaveLength(1);
    expect(events?.filter((event) => event.timerCanceledEventAttributes)).toHaveLength(1);
  });
});

describe('a workflow that continues as new', () => {
  const subject = { tenant: '9104', kind: 'stock', id: '7' } as const;
  const changes = [1, 2, 3, 4, 5].map((revision) => announcementOf(revision, 'changed', { subject }));

  it('goes on where it was, with what came early', async () => {
    await receiving().work();
    const { announce, handle } = receiving().begin('stock');
    for (const change of [changes[0], changes[1], changes[3], changes[1], changes[2], changes[0], changes[4]]) {
      await announce(change);
    }
    const revisions = (await handle.result()) as number[];
    expect(revisions.at(-1)).toBe(5);
    expect(revisions).toEqual([...new Set(revisions)].sort());
  });
});
