import type { Kysely } from 'kysely';
import { z } from 'zod';
import { may } from '../../admin/access.ts';
import { listAddress } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { bulkForm } from '../../admin/board/list-forms.ts';
import { table } from '../../admin/board/table.ts';
import { ago, number, untrusted } from '../../admin/board/text.ts';
import {
  atLeast,
  conditionsOf,
  equals,
  explained,
  filterBy,
  type Given,
  lastingValuesOf,
  moment,
  names,
  textOf,
} from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { byNumber } from '../../admin/views/place.ts';
import { count, instant, type Sources } from '../../admin/views/view.ts';
import { plural } from '../../base/text.ts';
import { quarantineCodes, sayReason } from '../../domain/quarantine.ts';
import { columnsFor, readRow, type Stored } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import {
  bytesReceived,
  type QuarantinedFilter,
  quarantinedRows,
  readReason,
  reasonColumns,
  type StoredReason,
} from '../tables/quarantined.ts';

export const quarantineFilters = {
  code: filterBy(explained(z.enum(quarantineCodes), 'only with this reason', 'unknownName'), equals('quarantine_code')),
  data: filterBy(
    explained(textOf(2000), 'only with this data of the reason, as the summary has it', '{}'),
    equals('quarantine_data'),
  ),
  tenant: filterBy(names.tenant, equals('tenant')),
  since: filterBy(moment.describe('only those received since then'), atLeast('received_at')),
};

export const reasonMembers = {
  code: z.enum(quarantineCodes).describe('Reason for the quarantine.'),
  data: z.string().describe('What the reason is about, as JSON.'),
  reason: z.string().describe('The reason in words.'),
};

export const quarantinedRow = z.object({
  id: count,
  eventId: z.string(),
  endpoint: z.string(),
  tenant: z.string(),
  ...reasonMembers,
  receivedAt: instant,
  bytes: count,
});

type QuarantinedRow = z.output<typeof quarantinedRow>;

/** Oldest first. */
export const listQuarantined = async (
  { reads }: Pick<Sources, 'reads'>,
  filter: QuarantinedFilter,
  limit: number,
): Promise<readonly QuarantinedRow[]> =>
  (await selectQuarantined(reads, filter).orderBy('id').limit(limit).execute()).map(toRow);

const worded = (row: StoredReason) => ({ reason: sayReason(readReason(row)) });

const selectQuarantined = (reads: Kysely<Database>, filter?: QuarantinedFilter) =>
  quarantinedRows(reads, filter)
    .select([...columnsFor('inbox', quarantinedRow), ...reasonColumns, bytesReceived.as('bytes')])
    .$narrowType<StoredReason>();

const toRow = (row: Stored<typeof selectQuarantined>): QuarantinedRow => readRow(quarantinedRow, row, worded(row));

const reasonRow = z.object({
  ...reasonMembers,
  count,
  firstId: count,
  firstReceivedAt: instant,
  lastReceivedAt: instant,
});

const REASONS = 500;

/** The most frequent first. */
export async function countReasons(
  { reads }: Pick<Sources, 'reads'>,
  given: Given<typeof quarantineFilters> = {},
): Promise<readonly z.output<typeof reasonRow>[]> {
  const rows = await reads
    .selectFrom(
      conditionsOf(quarantineFilters, given, reads)
        .reduce((matching, it) => matching.where(it), quarantinedRows(reads))
        .select(({ fn }) => [...reasonColumns, fn.countAll<number>().as('count')])
        .select(({ fn }) => [fn.min('id').as('firstId'), fn.max('id').as('lastId')])
        .groupBy(['quarantine_code', 'quarantine_data'])
        .orderBy('count', 'desc')
        .orderBy('code')
        .orderBy('data')
        .limit(REASONS)
        .as('reasons'),
    )
    // Of two rows only, since the others are beside their bodies.
    .innerJoin('inbox as first', 'first.id', 'firstId')
    .innerJoin('inbox as last', 'last.id', 'lastId')
    .select(['code', 'data', 'count', 'firstId'])
    .select(['first.received_at as firstReceivedAt', 'last.received_at as lastReceivedAt'])
    .orderBy('count', 'desc')
    .orderBy('code')
    .orderBy('data')
    .$narrowType<StoredReason>()
    .execute();
  return rows.map((row) => readRow(reasonRow, row, worded(row)));
}

export const quarantineList = defineList({
  path: '/quarantine',
  summary: 'Lists quarantined deliveries, or counts them by reason',
  tag: 'Webhooks',
  description:
    'Deliveries that were authentic and are stored, but could not be understood, such as those of an unknown event. Fix the cause, then reprocess them. With `summary=true` the answer has one row for each reason.',
  names: { row: 'QuarantinedEvent', page: 'QuarantinePage' },
  filters: quarantineFilters,
  row: quarantinedRow,
  columns: {
    id: {},
    eventId: {
      head: 'Event',
      cell: ({ id, eventId }) => html`<a href="/board/deliveries/${id}">${untrusted(eventId, 60)}</a>`,
    },
    tenant: { head: 'Account', as: 'text' },
    receivedAt: { head: 'Received', as: 'nowrap' },
    reason: { cell: ({ reason }) => untrusted(reason) },
    bytes: { head: 'Size', as: 'nowrap', cell: ({ bytes }) => plural(bytes, 'byte') },
    action: {
      as: 'action',
      cell: ({ id, eventId }, { caller }) =>
        may(caller, 'act') &&
        html`<form method="post" action="/board/quarantine/${id}/reprocess"><button>Reprocess<span class="aside"> ${untrusted(eventId)}</span></button></form>`,
    },
  },
  groups: { name: 'QuarantineReason', summary: 'count events by reason instead', row: reasonRow, read: countReasons },
  select: ({ reads }) => selectQuarantined(reads),
  order: () => ({ by: [byNumber('id')] }),
  toRows: (_sources, stored) => stored.map(toRow),

  page: ({ groups, filters, total, now }) => ({
    title: 'Quarantine',
    section: 'webhooks',
    about: html`<p class="muted">Authentic webhooks that were not understood. Nothing is lost: fix the cause, then reprocess them. <a href="/board/event-names">Accept unknown names</a></p>
${groups.length > 0 && reasonTable(groups, filters, now)}
${filters.code !== undefined && html`<h2 id="deliveries">For this reason</h2><p><a href="/board/quarantine">Show all</a></p>`}`,
    empty: groups.length === 0 ? 'Empty: every webhook was understood.' : 'None for this reason.',
    bulk: bulkForm('reprocess', lastingValuesOf(quarantineFilters, filters), total),
  }),
});

type Reason = z.output<typeof reasonRow>;

const reasonTable = (reasons: readonly Reason[], chosen: Given<typeof quarantineFilters>, now: number): Markup =>
  table({
    label: 'Reasons',
    rows: reasons,
    isChosen: ({ code, data }) => code === chosen.code && data === chosen.data,
    columns: {
      Reason: ({ code, data, reason }) =>
        html`<a href="${listAddress('/board/quarantine', { code, data })}">${untrusted(reason, 200)}</a>`,
      Webhooks: { as: 'number', cell: ({ count }) => number(count) },
      First: { as: 'nowrap', cell: ({ firstReceivedAt }) => ago(firstReceivedAt, now) },
      Newest: { as: 'nowrap', cell: ({ lastReceivedAt }) => ago(lastReceivedAt, now) },
    },
  });
