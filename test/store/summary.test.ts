import { expect, it } from 'vitest';
import { unknownLifecycle } from '../../src/domain/lifecycle.ts';
import { parkedEntry } from '../inbox/entries.ts';
import { describeOnBoth, openIn } from './databases.ts';

describeOnBoth('the summary', (database) => {
  it('lists orders with their stage and their mark for attention', async () => {
    const { subjects, summary } = await openIn(database);
    const attention = { milestone: 'stalled', time: 1, eventId: '' } as const;
    await subjects.record(
      { tenant: '1', kind: 'order', id: 'b' },
      { ...unknownLifecycle, revision: 2, registers: { attention } },
      [],
    );
    const closing = { milestone: 'confirmed', time: 1, eventId: '1:1' } as const;
    await subjects.record(
      { tenant: '1', kind: 'order', id: 'a' },
      { ...unknownLifecycle, revision: 1, registers: { closing } },
      [],
    );
    expect(await summary.subjects()).toEqual([
      {
        tenant: '1',
        kind: 'order',
        id: 'a',
        stage: 'confirmed',
        referenceNumber: null,
        revision: 1,
        needsAttention: false,
      },
      {
        tenant: '1',
        kind: 'order',
        id: 'b',
        stage: 'created',
        referenceNumber: null,
        revision: 2,
        needsAttention: true,
      },
    ]);
  });

  it('counts announcements by whether they were sent', async () => {
    const { subjects, outbox, summary } = await openIn(database);
    const announcements = ['a', 'b', 'c'].map((id, index) => ({ id, revision: index + 1, body: '{}' }));
    await subjects.record({ tenant: '1', kind: 'order', id: '1' }, { ...unknownLifecycle, revision: 3 }, announcements);
    await outbox.markSent(['b']);
    expect(await summary.announcements()).toEqual({ sent: 1, unsent: 2 });
    expect(await summary.acknowledged()).toEqual(['b']);
  });

  it('counts parked deliveries by their reason, the most frequent first', async () => {
    const { inbox, summary } = await openIn(database);
    await inbox.add([parkedEntry('1', 'rare'), parkedEntry('2', 'often'), parkedEntry('3', 'often')]);
    expect(await summary.parked()).toEqual([
      { reason: 'often', count: 2 },
      { reason: 'rare', count: 1 },
    ]);
  });
});
