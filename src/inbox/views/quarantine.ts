import type { Kysely } from 'kysely';
import { z } from 'zod';
import { may } from '../../admin/access.ts';
import { listAddress } from '../../admin/board/addresses.ts';
import { bulkForm } from '../../admin/board/bulk-form.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { notice } from '../../admin/board/notice.ts';
import { actionColumn, listEnd, nowrap, numeric, table } from '../../admin/board/table.ts';
import { ago, number, untrusted } from '../../admin/board/text.ts';
import { conditionsOf, type Given, lastingValuesOf } from '../../admin/filter.ts';
import { rowId } from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { count, instant, type Sources } from '../../admin/views/view.ts';
import { plural } from '../../base/text.ts';
import { countMatching } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { bytesReceived, type QuarantinedFilter, quarantinedRows } from '../tables/quarantined.ts';
import { quarantineFilters } from './quarantine-filters.ts';

/** Row of a webhook that was accepted and not understood, without its body. */
export const quarantinedRow = z.object({
  id: count,
  eventId: z.string(),
  endpoint: z.string(),
  tenant: z.string(),
  reason: z.string(),
  receivedAt: instant,
  bytes: count,
});

/** Webhook that was accepted and not understood, without its body. */
export type QuarantinedRow = z.output<typeof quarantinedRow>;

/** Returns some of the quarantined webhooks, oldest first. */
export const listQuarantined = (
  { reads }: Pick<Sources, 'reads'>,
  filter: QuarantinedFilter,
  limit: number,
): Promise<readonly QuarantinedRow[]> => readPage(quarantinedRows(reads, filter), 0, limit);

const matching = (reads: Kysely<Database>, given: Given<typeof quarantineFilters>) =>
  conditionsOf(quarantineFilters, given, reads).reduce((rows, it) => rows.where(it), quarantinedRows(reads));

async function readPage(
  quarantined: ReturnType<typeof quarantinedRows>,
  after: number,
  limit: number,
): Promise<readonly QuarantinedRow[]> {
  const rows = await quarantined
    .select(['id', 'event_id as eventId', 'endpoint', 'tenant', 'quarantine_reason as reason'])
    .select(['received_at as receivedAt', bytesReceived.as('bytes')])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ reason: string }>()
    .execute();
  return rows.map(({ receivedAt, ...row }) => ({ ...row, receivedAt: new Date(receivedAt) }));
}

/** Row of the quarantined webhooks that share a reason. */
export const reasonRow = z.object({
  reason: z.string(),
  count,
  firstId: count,
  firstReceivedAt: instant,
  lastReceivedAt: instant,
});

/** Maximum number of reasons. */
const REASONS = 500;

/** Counts quarantined webhooks by reason, the most frequent first. */
export async function countReasons(
  { reads }: Pick<Sources, 'reads'>,
  given: Given<typeof quarantineFilters> = {},
): Promise<readonly z.output<typeof reasonRow>[]> {
  const rows = await reads
    .selectFrom(
      matching(reads, given)
        .select(({ fn }) => ['quarantine_reason as reason', fn.countAll<number>().as('count')])
        .select(({ fn }) => [fn.min('id').as('firstId'), fn.max('id').as('lastId')])
        .groupBy('quarantine_reason')
        .orderBy('count', 'desc')
        .orderBy('reason')
        .limit(REASONS)
        .as('reasons'),
    )
    // Of two rows only, since the others are beside their bodies.
    .innerJoin('inbox as first', 'first.id', 'firstId')
    .innerJoin('inbox as last', 'last.id', 'lastId')
    .select(['reason', 'count', 'firstId'])
    .select(['first.received_at as first', 'last.received_at as last'])
    .orderBy('count', 'desc')
    .orderBy('reason')
    .$narrowType<{ reason: string }>()
    .execute();
  return rows.map(({ first, last, ...row }) => ({
    ...row,
    firstReceivedAt: new Date(first),
    lastReceivedAt: new Date(last),
  }));
}

/** Quarantined webhooks, oldest first. */
export const quarantineList = defineList({
  path: '/quarantine',
  summary: 'Lists quarantined deliveries, or counts them by reason',
  tag: 'Webhooks',
  description:
    'Deliveries that were authentic and are stored, but could not be understood, such as those of an unknown event. Fix the cause, then replay them. With `summary=true` the answer has one row for each reason.',
  names: { row: 'QuarantinedEvent', page: 'QuarantinePage' },
  filters: quarantineFilters,
  place: rowId,
  row: quarantinedRow,
  columns: ['id', 'eventId', 'tenant', 'receivedAt', 'reason'],
  groups: { name: 'QuarantineReason', summary: 'count events by reason instead', row: reasonRow, read: countReasons },
  read: ({ reads }, { after = 0, ...given }, limit) => readPage(matching(reads, given), after, limit),
  count: ({ reads }, given) => countMatching(reads, matching(reads, given)),
  placeOf: ({ id }) => String(id),

  html: ({ rows, groups, filters, filters: { reason }, done, now, caller, ...shown }) => ({
    title: 'Quarantine',
    section: 'webhooks',
    content: html`<h1>Quarantine</h1>
${notice(done)}
<p class="muted">Authentic webhooks that were not understood. Nothing is lost: fix the cause, then replay them. · <a href="/board/event-names">Accept unknown names</a></p>
${groups.length === 0 ? html`<p class="empty">Empty: every webhook was understood.</p>` : reasonTable(groups, reason, now)}
${reason !== undefined && html`<h2 id="deliveries">Because of “${untrusted(reason, 200)}”</h2><p><a href="/board/quarantine">Show all</a></p>`}
${rows.length > 0 && webhookTable(rows, now, may(caller, 'act'))}
${listEnd({ rows, ...shown })}
${rows.length > 0 && may(caller, 'act') && bulkForm('replay', lastingValuesOf(quarantineFilters, filters), shown.total)}`,
  }),
});

const reasonTable = (reasons: readonly z.output<typeof reasonRow>[], chosen: string | undefined, now: number): Markup =>
  table({
    label: 'Reasons',
    columns: ['Reason', numeric('Webhooks'), nowrap('First'), nowrap('Newest')],
    rows: reasons.map(({ reason, count, firstReceivedAt, lastReceivedAt }) => ({
      isChosen: reason === chosen,
      cells: [
        html`<a href="${listAddress('/board/quarantine', { reason })}">${untrusted(reason, 200)}</a>`,
        number(count),
        ago(firstReceivedAt, now),
        ago(lastReceivedAt, now),
      ],
    })),
  });

const webhookTable = (rows: readonly QuarantinedRow[], now: number, mayAct: boolean): Markup =>
  table({
    label: 'Webhooks in quarantine',
    columns: ['Event', 'Account', nowrap('Received'), nowrap('Size'), 'Reason', mayAct && actionColumn],
    rows: rows.map(({ id, eventId, tenant, receivedAt, bytes, reason }) => ({
      id: String(id),
      cells: [
        html`<a href="/board/deliveries/${id}">${untrusted(eventId, 60)}</a>`,
        untrusted(tenant, 40),
        ago(receivedAt, now),
        plural(bytes, 'byte'),
        untrusted(reason),
        html`<form method="post" action="/board/quarantine/${id}/replay"><button>Replay<span class="aside"> ${untrusted(eventId)}</span></button></form>`,
      ],
    })),
  });
