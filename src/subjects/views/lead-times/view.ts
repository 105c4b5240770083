import { z } from 'zod';
import { livePage } from '../../../admin/board/responder.ts';
import type { Asked } from '../../../admin/call.ts';
import { openCsv } from '../../../admin/views/csv.ts';
import type { Sources, View } from '../../../admin/views/view.ts';
import { mainKind } from '../../../domain/kinds/kinds.ts';
import { leadSteps } from '../../../domain/lifecycle/lead-times.ts';
import { type Meant, rowsOf } from '../../../store/rows.ts';
import { subjectColumns } from '../../../store/schema.ts';
import { groupClosed, type LeadGrouping, type LeadQuery, readClosed } from '../../tables/lead-times.ts';
import { leadTimesPage } from './page.ts';
import { answer, filters, type LeadFilters, type LeadRow, query, SPAN } from './row.ts';

async function open({ reads }: Pick<Sources, 'reads'>, asked: LeadQuery) {
  const closed = await readClosed(reads, asked);
  const span = { since: new Date(asked.since), until: new Date(asked.until), share: closed.share };
  return async (grouping: LeadGrouping) => ({
    ...span,
    items: await Promise.all(
      groupClosed(closed, grouping).map(async ({ example: { tenant, id }, ...it }) => {
        // Any record of a customer has its name; of its own it may be gone.
        const meant =
          grouping === 'customer' ? { tenant, customer_id: it.group } : subjectColumns({ ...asked, tenant, id });
        return { name: await nameOf(reads, grouping, meant), ...it };
      }),
    ),
  });
}

async function nameOf(
  reads: Sources['reads'],
  grouping: LeadGrouping,
  meant: Meant<'subjects'>,
): Promise<string | null> {
  if (grouping !== 'customer' && grouping !== 'facility') return null;
  const found = await rowsOf(reads, 'subjects', meant)
    .select(['facts', 'lifecycle'])
    .where('facts', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  const { customerName = null } = JSON.parse(found?.facts ?? '{}');
  const { snapshot } = JSON.parse(found?.lifecycle ?? '{}');
  return grouping === 'customer' ? customerName : (snapshot?.facilityName ?? null);
}

const read = async (sources: Pick<Sources, 'reads'>, { by, ...asked }: LeadFilters) =>
  await (await open(sources, asked))(by);

/** A cell has no parts. */
const columns = [
  ...['group', 'name', 'closed', 'withDeadline', 'onTime', 'told', 'toldLate', 'lateUntold', 'toldAheadMs'],
  ...leadSteps.flatMap((it) => [`${it}Count`, `${it}MedianMs`, `${it}P90Ms`]),
];

const toFile = ({ steps, told, ...it }: LeadRow): object => ({
  ...it,
  ...{ told: told.count, toldLate: told.late, lateUntold: told.unheard, toldAheadMs: told.aheadMs },
  ...Object.fromEntries(
    leadSteps.flatMap((name) => [
      [`${name}Count`, steps[name]?.count],
      [`${name}MedianMs`, steps[name]?.median],
      [`${name}P90Ms`, steps[name]?.p90],
    ]),
  ),
});

const csvOf = (sources: Sources, asked: LeadFilters) =>
  openCsv({
    columns,
    limit: undefined,
    after: undefined,
    readPage: async () => ({ rows: (await read(sources, asked)).items.map(toFile), next: null }),
  });

const form = z.object({
  ...filters,
  kind: filters.kind.catch(mainKind),
  by: z.enum(['customer', 'facility', 'carrier', 'day']).catch('customer'),
});

const readForm = ({ query: given }: Asked): LeadFilters =>
  form.parse(Object.fromEntries(Object.entries(given).filter(([, value]) => String(value).trim() !== '')));

export const leadTimesView: View = {
  call: {
    method: 'GET',
    path: '/lead-times',
    id: 'getLeadTimes',
    summary: 'Shows how long orders and receipts took for each step, and how many were on time',
    tag: 'Orders',
    description:
      'For reports on service levels: the median and the 90th percentile of each step for what was closed in a period, and how many met their deadline. Above some thousand records it reads a sample and says so in `share`.',
    role: 'read',
    query,
    answers: { 200: 'LeadTimes' },
    schemas: { LeadTimes: answer },
    answer: (sources, asked) => read(sources, query.parse(asked.query)),
    csv: (sources, asked) => csvOf(sources, query.parse(asked.query)),
  },
  pages: [
    {
      path: '/lead-times',
      role: 'read',
      open: (sources) => async (asked) => {
        const { until, ...given } = readForm(asked);
        const grouped = await open(sources, { ...given, until });
        const [all, days, groups] = await Promise.all([grouped('all'), grouped('day'), grouped(given.by)]);
        const { since: age = SPAN } = asked.query as { readonly since?: string };
        const { share, items } = groups;
        const shown = { share, items, all: all.items[0], days: days.items };
        return livePage(leadTimesPage, { ...shown, given: { ...given, since: age } });
      },
    },
    {
      path: '/lead-times.csv',
      role: 'read',
      open: (sources) => async (asked) => ({ name: 'lead-times.csv', csv: await csvOf(sources, readForm(asked)) }),
    },
  ],
};
