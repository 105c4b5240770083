import { type RawBuilder, sql } from 'kysely';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import type { Attention } from '../../domain/lifecycle/attention.ts';
import type { Stage } from '../../domain/lifecycle/stage.ts';
import { attentionIs, needsAttention } from './attention.ts';
import { isOpen } from './subject-search.ts';

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
  /** Only those that are not closed, canceled or deleted. */
  readonly open?: 'true';
}

/** Without a stage or a reason for attention, people mean those that are open. */
export const meansOpen = ({ stage, attention, group }: { readonly [F in 'stage' | 'attention' | 'group']?: unknown }) =>
  (stage ?? attention ?? group) === undefined;

/** Returns the conditions of subjects that match a filter. */
export function subjectConditions({
  attention,
  group,
  open,
  ...filter
}: SubjectFilter): readonly RawBuilder<boolean>[] {
  const { kind, stage, customer, tenant, id } = filter;
  const equal = { kind, stage, attention_group: group, customer_id: customer, tenant, subject_id: id };
  return [
    ...Object.entries(equal).flatMap(([column, value]) =>
      value === undefined ? [] : [sql<boolean>`${sql.ref(column)} = ${value}`],
    ),
    ...(open ? [isOpen] : []),
    ...(attention === undefined ? [] : [attention === 'any' ? needsAttention : attentionIs[attention]]),
    ...(group === undefined ? [] : [needsAttention]),
  ];
}
