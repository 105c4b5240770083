import { expect, it } from 'vitest';
import { createBulk } from '../../../src/admin/bulk/bulk.ts';
import { createSelection } from '../../../src/admin/bulk/selection.ts';
import { createDeadLetters } from '../../../src/store/tables/dead-letters.ts';
import { quarantinedEntry } from '../../inbox/entries.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { record } from '../record.ts';

describeOnBoth('the selection of a bulk action', (database) => {
  const open = async () => {
    const store = await openIn(database);
    return { store, selection: createSelection({ reads: store.reads, deadLetters: createDeadLetters(store) }) };
  };

  it('names each subject once, even if it enters another stage meanwhile', async () => {
    const { store, selection } = await open();
    const keys = Array.from({ length: 502 }, (_, index) => `order:9104:${index}`);
    for (const [index, key] of keys.entries()) await record(store, key, { stageSince: index, milestones: [] });
    const chosen: string[] = [];
    for await (const page of selection.refresh({ kind: 'order' }, store.now())) {
      if (chosen.length === 0) await record(store, 'order:9104:0', { stageSince: 1000, milestones: [] });
      chosen.push(...page);
    }
    expect(chosen).toEqual(keys);
  });

  it('is refused if it names too many', async () => {
    const { store, selection } = await open();
    await store.inbox.add([1, 2, 3].map((id) => quarantinedEntry(`9104:${id}`)));
    const bulk = createBulk({ store: store.bulk, selection, onConfirmed: () => undefined, most: 2 });
    await expect(bulk.preview('replay', {}, { token: 'lead', operator: null })).rejects.toThrow(
      'The filter names more than 2; name fewer at a time.',
    );
    expect(await store.db.selectFrom('bulk_items').selectAll().execute()).toEqual([]);
  });
});
