import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { Attention } from '../../src/domain/lifecycle/attention.ts';
import type { Stage } from '../../src/domain/lifecycle/stage.ts';
import { sayReason } from '../../src/domain/quarantine.ts';
import { quarantinedRows, readReason, reasonColumns, type StoredReason } from '../../src/inbox/tables/quarantined.ts';
import type { Connections } from '../../src/store/engines/connections.ts';
import { attentionColumns, attentionIn } from '../../src/subjects/tables/counts.ts';

/** Subject with where it stands. */
export interface StoredSubject extends SubjectRef {
  readonly stage: Stage;
  readonly revision: number;
  readonly referenceNumber: string | null;
  readonly attention: readonly Attention[];
}

/** Creates the summary of everything stored, without limits: for demonstrations and tests. */
export function createSummary({ reads }: Pick<Connections, 'reads'>) {
  return {
    /** Returns every subject in the order of tenant, kind and id. */
    async subjects(): Promise<readonly StoredSubject[]> {
      const rows = await reads
        .selectFrom('subjects')
        .select(['tenant', 'kind', 'subject_id as id', 'stage', 'revision', 'reference_number as referenceNumber'])
        .select(attentionColumns)
        .orderBy('tenant')
        .orderBy('kind')
        .orderBy('subject_id')
        .execute();
      return rows.map(({ tenant, kind, id, stage, revision, referenceNumber, ...marks }) => ({
        tenant,
        kind,
        id,
        stage,
        revision,
        referenceNumber,
        attention: attentionIn(marks),
      }));
    },

    async announcements() {
      const { all, sent } = await reads
        .selectFrom('outbox')
        .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('sent_at').as('sent')])
        .executeTakeFirstOrThrow();
      return { sent, unsent: all - sent };
    },

    /** Returns the ids of all acknowledged announcements. */
    async acknowledged() {
      const rows = await reads
        .selectFrom('outbox')
        .select('announcement as id')
        .where('sent_at', 'is not', null)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Counts quarantined deliveries by reason, the most frequent first. */
    async quarantined() {
      const rows = await quarantinedRows(reads)
        .select(({ fn }) => [...reasonColumns, fn.countAll<number>().as('count')])
        .groupBy(['quarantine_code', 'quarantine_data'])
        .orderBy('count', 'desc')
        .orderBy('code')
        .orderBy('data')
        .$narrowType<StoredReason>()
        .execute();
      return rows.map(({ count, ...stored }) => ({ reason: sayReason(readReason(stored)), count }));
    },
  };
}
