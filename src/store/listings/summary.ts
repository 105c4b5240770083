import type { ListingDeps } from '../schema.ts';
import { createSubjectLists } from './subjects.ts';

/** Creates the summary of everything stored, without limits: for demonstrations and tests. */
export function createSummary({ reads }: Pick<ListingDeps, 'reads'>) {
  return {
    /** Returns every subject in the order of tenant, kind and id. */
    subjects: () => createSubjectLists({ reads }).list({}, { limit: Number.MAX_SAFE_INTEGER }),

    async announcements() {
      const { all, sent } = await reads
        .selectFrom('announcements')
        .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('sent_at').as('sent')])
        .executeTakeFirstOrThrow();
      return { sent, unsent: all - sent };
    },

    /** Returns the ids of all acknowledged announcements. */
    async acknowledged() {
      const rows = await reads.selectFrom('announcements').select('id').where('sent_at', 'is not', null).execute();
      return rows.map(({ id }) => id);
    },

    /** Counts quarantined deliveries by reason, the most frequent first. */
    quarantined: () =>
      reads
        .selectFrom('inbox')
        .select(({ fn }) => ['quarantine_reason as reason', fn.countAll<number>().as('count')])
        .where('quarantine_reason', 'is not', null)
        .groupBy('quarantine_reason')
        .orderBy('count', 'desc')
        .orderBy('reason')
        .$narrowType<{ reason: string }>()
        .execute(),
  };
}
