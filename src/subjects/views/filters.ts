import { sql } from 'kysely';
import { z } from 'zod';
import { atMost, equals, explained, fieldBy, filterBy, type Given, moment, names, text } from '../../admin/queries.ts';
import { type SubjectRef, subjectKinds } from '../../domain/catalogue/subject.ts';
import { outlooks } from '../../domain/deadlines/deadline.ts';
import { type Attention, attentions } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { isCustomer, isOpen, needsAttention } from '../../store/subjects.ts';
import { attentionIs } from '../tables/counts.ts';
import { isDue, isDueAndOpen } from '../tables/deadlines.ts';
import { isSomebody, isTakenBy } from '../tables/taking.ts';

export const dueWords = {
  overdue: 'overdue',
  willMiss: 'will probably miss their deadline',
  atRisk: 'at risk',
  onTime: 'on time',
  soon: 'due within 24 hours',
} as const;

const marks = {
  any: 'any reason',
  stalled: 'in its stage for too long',
  refused: 'refused by the warehouse',
  unannounced: 'announcement given up',
  failing: 'failing and retried',
} as const satisfies Record<'any' | Attention, string>;

/** They select the same subjects later. */
export const lastingFilters = {
  kind: filterBy(z.enum(subjectKinds).describe('only this kind of subject'), equals('kind')),
  id: filterBy(explained(text, 'only this id', '31004581'), equals('subject_id')),
  open: filterBy(z.enum(['true']).describe('only those that are not closed, canceled or deleted'), () => isOpen),
  stage: fieldBy(z.enum(stages).describe('only this stage'), equals('stage'), {
    none: ({ stage: _, ...given }) => (meansOpen(given) ? 'all that are open' : 'any stage'),
  }),
  attention: fieldBy(
    z.enum(['any', ...attentions]).describe('only subjects that need attention, for any reason or for this one'),
    (attention) => (attention === 'any' ? needsAttention : attentionIs[attention]),
    { label: 'Needs attention', words: marks },
  ),
  takenBy: fieldBy(explained(text, 'only those taken by this person, or by nobody', 'ana'), isTakenBy, {
    placeholder: 'nobody',
  }),
  olderThan: fieldBy(moment.describe('only those that entered their stage before then'), atMost('stage_since'), {
    label: 'In stage longer than',
  }),
  confirmedSince: fieldBy(
    moment.describe('only those closed since then'),
    (at) => sql`stage = 'confirmed' and stage_since >= ${at}`,
  ),
  customer: fieldBy(names.customer, (customer, { reads }) => isCustomer(reads, 'customer_id', customer)),
  facility: fieldBy(names.facility, equals('facility_id')),
  carrier: fieldBy(names.carrier, (carrier) => sql`${isOpen} and carrier = ${carrier}`),
  dueAt: fieldBy(
    moment.describe('only open ones that are due at this time, as by one truck'),
    (at) => sql`${isDueAndOpen} and due_at = ${at}`,
  ),
  tenant: fieldBy(names.tenant, equals('tenant'), { label: 'Account' }),
};

export const subjectFilters = {
  ...lastingFilters,
  due: fieldBy(
    z
      .enum([...outlooks, 'soon'])
      .describe(
        'only open ones that are overdue, will probably miss their deadline, are at risk since too little is known, or are on time; or due within 24 hours',
      ),
    (due) => isDue[due](Date.now()),
    { words: dueWords },
  ),
};

export type SubjectQuery = Given<typeof subjectFilters>;

export function isOneOf(subjects: readonly SubjectRef[]) {
  if (subjects.length === 0) return sql<boolean>`1 = 0`;
  const rows = subjects.map(({ tenant, kind, id }) => sql`(${tenant}, ${kind}, ${id})`);
  return sql<boolean>`(tenant, kind, subject_id) in (values ${sql.join(rows)})`;
}

/** Without one of these filters people mean open subjects. */
export const meansOpen = ({ takenBy, ...given }: MeantBy): boolean =>
  choosing.every((name) => given[name] === undefined) && !isSomebody(takenBy);

const choosing = ['stage', 'attention', 'confirmedSince'] as const;

type MeantBy = { readonly [F in (typeof choosing)[number] | 'takenBy']?: unknown };
