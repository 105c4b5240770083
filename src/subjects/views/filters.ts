import { sql } from 'kysely';
import { z } from 'zod';
import { filterBy, type Given } from '../../admin/filter.ts';
import { explained, moment, names, text, textOf } from '../../admin/queries.ts';
import { parseSubjectKey, type SubjectRef, subjectKinds } from '../../domain/catalogue/subject.ts';
import { outlooks } from '../../domain/deadlines/deadline.ts';
import { type Attention, attentions } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { isCustomer } from '../../store/subject-names.ts';
import { isOpen, needsAttention } from '../../store/unfinished.ts';
import { attentionIs } from '../tables/attention.ts';
import { isDue, isDueAndOpen } from '../tables/deadlines.ts';
import { isFoundBy } from '../tables/search-terms.ts';
import { isSomebody, isTakenBy } from '../tables/taking.ts';
import type { SubjectRow } from './subject/row.ts';

/** `due`: earliest first; `risk`: likely to miss first; `created`: newest first. */
export const sortNames = {
  id: 'by account and id',
  oldest: 'longest in their stage first',
  newest: 'newest in their stage first',
  due: 'those that are due first',
  risk: 'those that will miss it first',
  created: 'last created first',
} as const;

export type Sort = keyof typeof sortNames;

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
  kind: filterBy(z.enum(subjectKinds).describe('only this kind of subject'), { where: (kind) => sql`kind = ${kind}` }),
  group: filterBy(
    explained(
      text,
      'only this reason for attention, as the overview of the board groups them',
      'failing: getOrder: 500',
    ),
    { where: (group) => sql`attention_group = ${group} and ${needsAttention}` },
  ),
  id: filterBy(explained(text, 'only this id', '31004581'), { where: (id) => sql`subject_id = ${id}` }),
  open: filterBy(z.enum(['true']).describe('only those that are not closed, canceled or deleted'), {
    where: () => isOpen,
  }),
  stage: filterBy(z.enum(stages).describe('only this stage'), {
    label: 'Stage',
    none: ({ stage: _, ...given }) => (meansOpen(given) ? 'all that are open' : 'any stage'),
    where: (stage) => sql`stage = ${stage}`,
  }),
  attention: filterBy(
    z.enum(['any', ...attentions]).describe('only subjects that need attention, for any reason or for this one'),
    {
      label: 'Needs attention',
      words: marks,
      where: (attention) => (attention === 'any' ? needsAttention : attentionIs[attention]),
    },
  ),
  takenBy: filterBy(explained(text, 'only those taken by this person, or by nobody', 'ana'), {
    label: 'Taken by',
    placeholder: 'nobody',
    where: isTakenBy,
  }),
  olderThan: filterBy(moment.describe('only those that entered their stage before then'), {
    label: 'In stage longer than',
    where: (at) => sql`stage_since <= ${at}`,
  }),
  createdSince: filterBy(moment.describe('only those first seen since then'), {
    label: 'Created since',
    where: (at) => sql`created_at >= ${at}`,
  }),
  confirmedSince: filterBy(moment.describe('only those closed since then'), {
    label: 'Confirmed since',
    where: (at) => sql`stage = 'confirmed' and stage_since >= ${at}`,
  }),
  customer: filterBy(names.customer, {
    label: 'Customer',
    offer: ({ customerId, facts }: SubjectRow) => [customerId, facts.customerName],
    where: (customer, { reads }) => isCustomer(reads, 'customer_id', customer),
  }),
  facility: filterBy(names.facility, {
    label: 'Facility',
    offer: ({ facilityId }: SubjectRow) => [facilityId],
    where: (facility) => sql`facility_id = ${facility}`,
  }),
  carrier: filterBy(names.carrier, {
    label: 'Carrier',
    offer: ({ facts }: SubjectRow) => [facts.carrier],
    where: (carrier) => sql`${isOpen} and carrier = ${carrier}`,
  }),
  dueAt: filterBy(moment.describe('only open ones that are due at this time, as by one truck'), {
    label: 'Due at',
    where: (at) => sql`${isDueAndOpen} and due_at = ${at}`,
  }),
  tenant: filterBy(names.tenant, {
    label: 'Account',
    offer: ({ tenant }: SubjectRow) => [tenant],
    where: (tenant) => sql`tenant = ${tenant}`,
  }),
  q: filterBy(explained(text, 'only those of which an id, number, name, city or SKU begins with this', 'austin'), {
    label: 'Search',
    where: isFoundBy,
  }),
};

export const subjectFilters = {
  ...lastingFilters,
  due: filterBy(
    z
      .enum([...outlooks, 'soon'])
      .describe(
        'only open ones that are overdue, will probably miss their deadline, are at risk since too little is known, or are on time; or due within 24 hours',
      ),
    { label: 'Due', words: dueWords, where: (due) => isDue[due](Date.now()) },
  ),
  sort: filterBy(
    z
      .enum(Object.keys(sortNames) as [Sort, ...Sort[]])
      .describe(
        'by id, by time in their stage, by when they are due, those of one `dueAt` by whether they will miss it, or the last created first; default: as the filters suggest',
      ),
    { label: 'Sort by', words: sortNames, none: () => 'default' },
  ),
};

export const chosenFilters = {
  ...lastingFilters,
  keys: filterBy(textOf(20_000).describe('only subjects with these keys, separated by spaces'), { where: hasOneOf }),
};

export type SubjectQuery = Given<typeof subjectFilters>;

export function hasOneOf(keys: string) {
  return isOneOf(keys.split(' ').flatMap((key) => parseSubjectKey(key) ?? []));
}

export function isOneOf(subjects: readonly SubjectRef[]) {
  if (subjects.length === 0) return sql<boolean>`1 = 0`;
  const rows = subjects.map(({ tenant, kind, id }) => sql`(${tenant}, ${kind}, ${id})`);
  return sql<boolean>`(tenant, kind, subject_id) in (values ${sql.join(rows)})`;
}

/** Without one of these filters people mean open subjects. */
export const meansOpen = ({ takenBy, ...given }: MeantBy): boolean =>
  choosing.every((name) => given[name] === undefined) && !isSomebody(takenBy);

const choosing = ['q', 'stage', 'attention', 'group', 'keys', 'createdSince', 'confirmedSince'] as const;

type MeantBy = { readonly [F in (typeof choosing)[number] | 'takenBy']?: unknown };
