import { sql } from 'kysely';
import { z } from 'zod';
import { equals, fieldBy, filterBy } from '../../admin/filter.ts';
import { explained, moment, names, text } from '../../admin/queries.ts';
import { announced } from '../../domain/catalogue/announced.ts';
import { type SubjectKind, subjectKinds } from '../../domain/catalogue/subject.ts';
import { matchesType } from '../../domain/routing.ts';
import { isCustomer } from '../../store/subject-names.ts';
import { shownName } from '../tables/identities.ts';
import type { AnnouncementState } from './announcement-row.ts';

export function orderOf({ state }: { readonly state?: unknown }) {
  if (state === 'unsent' || state === 'failing') return ['outbox.created_at', 'outbox.announcement'] as const;
  if (state === 'dead-lettered') return ['outbox.dead_lettered_at', 'outbox.announcement'] as const;
  return ['announcements.created_at', 'announcements.id'] as const;
}

/** `failing`: unsent and tried. The first two are as in their indexes. */
const isInState = {
  unsent: sql<boolean>`outbox.announcement is not null and sent_at is null and dead_lettered_at is null`,
  'dead-lettered': sql<boolean>`outbox.announcement is not null and sent_at is null and dead_lettered_at is not null`,
  failing: sql<boolean>`outbox.announcement is not null and sent_at is null and dead_lettered_at is null and attempts > 0`,
  sent: sql<boolean>`sent_at is not null`,
  unwanted: sql<boolean>`outbox.announcement is null`,
} as const satisfies Record<AnnouncementState | 'failing', unknown>;

export const announcementFilters = {
  since: fieldBy(
    moment.describe('only announcements created since then, or dead-lettered, with that state'),
    (at, { given }) => sql`${sql.ref(orderOf(given)[0])} >= ${at}`,
  ),
  until: fieldBy(
    moment.describe('only announcements created until then, or dead-lettered, with that state'),
    (at, { given }) => sql`${sql.ref(orderOf(given)[0])} <= ${at}`,
  ),
  state: fieldBy(
    z
      .enum(Object.keys(isInState) as (keyof typeof isInState)[])
      .describe('only in this state; failing: unsent and tried at least once; unwanted: for no destination'),
    (state) => isInState[state],
  ),
  kind: fieldBy(z.enum(subjectKinds).describe('only about subjects of this kind'), equals('announcements.kind')),
  type: fieldBy(explained(text, 'only of this type; * stands for any text', 'order.packed'), isOfType),
  customer: fieldBy(names.customer, (customer, { reads }) => isCustomer(reads, 'announcements.customer_id', customer)),
  destination: fieldBy(names.destination, isFor),
  tenant: fieldBy(
    names.tenant,
    // Of what is open, an index of the outbox has the account and the destination.
    (tenant, { given: { state } }) =>
      sql`${sql.ref(state !== undefined && state !== 'sent' && state !== 'unwanted' ? 'outbox.tenant' : 'announcements.tenant')} = ${tenant}`,
    { label: 'Account' },
  ),
  sort: filterBy(z.enum(['newest', 'oldest']).describe('newest first, the default, or oldest first')),
};

function isFor(name: string) {
  return sql<boolean>`(outbox.tenant, destination) in
    (select known.tenant, known.id from ${sql.table('destinations')} as known where ${shownName} = ${name})`;
}

function isOfType(pattern: string) {
  const types = (Object.keys(announced) as SubjectKind[]).flatMap((kind) =>
    Object.keys(announced[kind]).flatMap((milestone) =>
      matchesType(pattern, `dockline.${kind}.${milestone}` as Parameters<typeof matchesType>[1])
        ? [{ kind, milestone }]
        : [],
    ),
  );
  if (types.length === 0) return sql<boolean>`1 = 0`;
  const ends = types.map(
    ({ kind, milestone }) => sql`announcements.kind = ${kind} and announcements.id like ${`%/${milestone}`}`,
  );
  return sql<boolean>`(${sql.join(
    ends.map((it) => sql`(${it})`),
    sql` or `,
  )})`;
}
