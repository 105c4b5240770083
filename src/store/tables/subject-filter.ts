import { type RawBuilder, sql } from 'kysely';
import { parseSubjectKey, type SubjectKind } from '../../domain/catalogue/subject.ts';
import type { Attention } from '../../domain/lifecycle/attention.ts';
import type { Stage } from '../../domain/lifecycle/stage.ts';
import { attentionIs, needsAttention } from './attention.ts';
import { isOpen } from './subject-search.ts';
import { isSomebody, isTakenBy } from './taking.ts';

/** Filter of subjects; an absent field matches every subject. */
export interface SubjectFilter {
  readonly kind?: SubjectKind;
  readonly stage?: Stage;
  readonly attention?: Attention | 'any';
  readonly customer?: string;
  readonly tenant?: string;
  readonly id?: string;
  /** Equal reasons for attention. */
  readonly group?: string;
  /** Keys with a blank between them. */
  readonly keys?: string;
  /** Only those that are not closed, canceled or deleted. */
  readonly open?: 'true';
  readonly facility?: string;
  /** Name of the carrier, of those that are open. */
  readonly carrier?: string;
  /** Name of who has taken them; `nobody` for those that nobody has. */
  readonly takenBy?: string;
  /** Times in milliseconds since the epoch: since before when they are in their stage, and since when they are known, or closed. */
  readonly olderThan?: number;
  readonly createdSince?: number;
  readonly confirmedSince?: number;
}

/** Without a stage, a reason for attention, somebody who took it, or a time of its creation or closing, people mean those that are open. */
export const meansOpen = ({ stage, attention, group, keys, takenBy, createdSince, confirmedSince }: MeantBy): boolean =>
  (stage ?? attention ?? group ?? keys ?? createdSince ?? confirmedSince) === undefined && !isSomebody(takenBy);

type MeantBy = {
  readonly [F in 'stage' | 'attention' | 'group' | 'keys' | 'takenBy' | 'createdSince' | 'confirmedSince']?: unknown;
};

/** Returns the conditions of subjects that match a filter. */
export function subjectConditions({
  attention,
  group,
  keys,
  open,
  takenBy,
  olderThan,
  createdSince,
  confirmedSince,
  carrier,
  ...filter
}: SubjectFilter): readonly RawBuilder<boolean>[] {
  const { kind, stage, customer, facility, tenant, id } = filter;
  const own = { customer_id: customer, facility_id: facility, tenant, subject_id: id };
  const equal = { kind, stage, attention_group: group, ...own };
  return [
    ...Object.entries(equal).flatMap(([column, value]) =>
      value === undefined ? [] : [sql<boolean>`${sql.ref(column)} = ${value}`],
    ),
    ...(open || carrier !== undefined ? [isOpen] : []),
    ...(carrier === undefined ? [] : [sql<boolean>`facts like ${`%"carrier":${JSON.stringify(carrier)}%`}`]),
    ...(attention === undefined ? [] : [attention === 'any' ? needsAttention : attentionIs[attention]]),
    ...(group === undefined ? [] : [needsAttention]),
    ...(keys === undefined ? [] : [isOneOf(keys)]),
    ...(takenBy === undefined ? [] : [isTakenBy(takenBy)]),
    ...(olderThan === undefined ? [] : [sql<boolean>`stage_since <= ${olderThan}`]),
    ...(createdSince === undefined ? [] : [sql<boolean>`created_at >= ${createdSince}`]),
    ...(confirmedSince === undefined ? [] : [sql<boolean>`stage = 'confirmed' and stage_since >= ${confirmedSince}`]),
  ];
}

/** Condition of subjects whose keys are named. */
function isOneOf(keys: string): RawBuilder<boolean> {
  const named = keys.split(' ').flatMap((key) => parseSubjectKey(key) ?? []);
  if (named.length === 0) return sql`1 = 0`;
  const rows = named.map(({ tenant, kind, id }) => sql`(${tenant}, ${kind}, ${id})`);
  return sql`(tenant, kind, subject_id) in (values ${sql.join(rows)})`;
}
