import { expect, it } from 'vitest';
import { createSelection } from '../../../src/admin/bulk/selection.ts';
import { createAnnouncementLists } from '../../../src/store/listings/announcements.ts';
import { createSubjectChoice } from '../../../src/store/listings/board/subject-choice.ts';
import { createQuarantinedEventLists } from '../../../src/store/listings/quarantined-events.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { record } from '../record.ts';

describeOnBoth('the selection of a bulk action', (database) => {
  it('names each subject once, even if it enters another stage meanwhile', async () => {
    const store = await openIn(database);
    const keys = Array.from({ length: 502 }, (_, index) => `order:9104:${index}`);
    for (const [index, key] of keys.entries()) await record(store, key, { stageSince: index, milestones: [] });
    const selection = createSelection({
      ...{ choices: createSubjectChoice(store), quarantinedEvents: createQuarantinedEventLists(store) },
      announcements: createAnnouncementLists(store),
    });
    const chosen: string[] = [];
    for await (const page of selection.refresh({ kind: 'order' }, store.now())) {
      if (chosen.length === 0) await record(store, 'order:9104:0', { stageSince: 1000, milestones: [] });
      chosen.push(...page);
    }
    expect(chosen).toEqual(keys);
  });
});
