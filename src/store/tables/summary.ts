import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Attention } from '../../domain/lifecycle/attention.ts';
import type { Stage } from '../../domain/lifecycle/stage.ts';
import { attentionColumns, readAttention } from '../listings/subjects.ts';
import type { StoreDeps } from '../store-deps.ts';

/** A subject as a list shows it. */
export interface ListedSubject extends SubjectRef {
  readonly stage: Stage;
  readonly referenceNumber: string | null;
  readonly revision: number;
  /** Every reason why a person should look at it. */
  readonly attention: readonly Attention[];
}

/** What a person wants to know of the whole. */
export interface Summary {
  /** Every subject, by tenant, kind and id. */
  subjects(): Promise<readonly ListedSubject[]>;
  announcements(): Promise<{ readonly sent: number; readonly unsent: number }>;
  /** The ids of all announcements that their destination has acknowledged. */
  acknowledged(): Promise<readonly string[]>;
  /** How many deliveries are quarantined for each reason, the most frequent first. */
  quarantined(): Promise<readonly { readonly reason: string; readonly count: number }[]>;
}

/** The lists and counts over what is stored. */
export function createSummary({ db }: Pick<StoreDeps, 'db'>): Summary {
  return {
    async subjects() {
      const rows = await db
        .selectFrom('subjects')
        .select(['tenant', 'kind', 'subject_id as id', 'stage', 'reference_number as referenceNumber', 'revision'])
        .select(attentionColumns)
        .orderBy('tenant')
        .orderBy('kind')
        .orderBy('subject_id')
        .execute();
      return rows.map(({ stalled, unannounced, refused, retrieving, announcing, ...subject }) => ({
        ...subject,
        attention: readAttention({ stalled, unannounced, refused, retrieving, announcing }),
      }));
    },

    async announcements() {
      const { all, sent } = await db
        .selectFrom('announcements')
        .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('sent_at').as('sent')])
        .executeTakeFirstOrThrow();
      return { sent, unsent: all - sent };
    },

    async acknowledged() {
      const rows = await db.selectFrom('announcements').select('id').where('sent_at', 'is not', null).execute();
      return rows.map(({ id }) => id);
    },

    quarantined: () =>
      db
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
