import { type RawBuilder, sql } from 'kysely';
import type { BoardLists, Choice, Sorting, SubjectPlace } from '../../../admin/board/ports.ts';
import { parseSubjectKey } from '../../../domain/catalogue/subject.ts';
import type { ListingDeps } from '../../schema.ts';
import { isOpen } from '../../tables/subject-search.ts';
import { columnsAre, conditions, needsAttention, readSubject, selectSubjects } from '../subjects.ts';

/** Creates the lists of subjects by time, and the search. Each choice is read from an index in its order. */
export function createSubjectChoice({ reads }: Pick<ListingDeps, 'reads'>): Pick<BoardLists, 'list' | 'search'> {
  const select = (matching: readonly RawBuilder<boolean>[], limit: number) =>
    matching.reduce((query, condition) => query.where(condition), selectSubjects(reads)).limit(limit);

  return {
    async list(choice, { sorting, after, limit }) {
      const matching = [...conditionsOf(choice), ...(after ? [isAfter(after, sorting)] : [])];
      const rows = columnsOf[sorting].reduce(
        (query, column) => query.orderBy(column, sorting === 'newest' ? 'desc' : 'asc'),
        select(matching, limit),
      );
      return (await rows.execute()).map(readSubject);
    },

    async search(text, limit) {
      const named = ['subject_id', 'reference_number', 'customer_id'] as const;
      // One statement for each, so that each uses its own index.
      const found = [];
      for (const column of named) {
        found.push(...(await select([sql<boolean>`${sql.ref(column)} = ${text}`], limit).execute()));
      }
      const event = await reads
        .selectFrom('inbox')
        .select('subject_key')
        .where('event_id', '=', text)
        .executeTakeFirst();
      const subject = parseSubjectKey(event?.subject_key ?? text);
      if (subject) found.push(...(await select([keyIs(subject)], 1).execute()));
      const distinct = new Map(found.map((row) => [`${row.kind}:${row.tenant}:${row.id}`, row]));
      return [...distinct.values()].slice(0, limit).map(readSubject);
    },
  };
}

const columnsOf = {
  oldest: ['stage_since', 'tenant', 'kind', 'subject_id'],
  newest: ['stage_since', 'tenant', 'kind', 'subject_id'],
  id: ['tenant', 'kind', 'subject_id'],
} as const satisfies Record<Sorting, readonly string[]>;

const keyIs = ({ tenant, kind, id }: Omit<SubjectPlace, 'stageSince'>) =>
  sql<boolean>`tenant = ${tenant} and kind = ${kind} and subject_id = ${id}`;

function isAfter({ stageSince, tenant, kind, id }: SubjectPlace, sorting: Sorting): RawBuilder<boolean> {
  if (sorting === 'id') return sql<boolean>`(tenant, kind, subject_id) > (${tenant}, ${kind}, ${id})`;
  const comparison = sorting === 'oldest' ? sql`>` : sql`<`;
  return sql<boolean>`(stage_since, tenant, kind, subject_id) ${comparison} (${stageSince}, ${tenant}, ${kind}, ${id})`;
}

function conditionsOf({ kind, stage, attention, group, customer, tenant }: Choice): RawBuilder<boolean>[] {
  return [
    ...columnsAre({ kind, stage, attention_group: group, customer_id: customer, tenant }),
    ...((stage ?? attention ?? group) === undefined ? [isOpen] : []),
    ...(attention === undefined ? [] : [attention === 'any' ? needsAttention : conditions[attention]]),
    ...(group === undefined ? [] : [needsAttention]),
  ];
}
