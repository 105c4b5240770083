import type { Readable } from 'node:stream';
import { z } from 'zod';
import { openCsv } from '../../../admin/views/csv.ts';
import { listOf, type Sources, type View } from '../../../admin/views/view.ts';
import { type Incident, nameOf } from '../../../domain/health/incident.ts';
import { incidentRow, toRow } from './row.ts';

const states = ['healthy', 'degraded', 'failing'] as const;

/** Of the installation, or of the part that a token sees. */
const health = z.object({
  status: z.enum(states).describe('`failing` with an urgent incident, `degraded` with any other.'),
  incidents: listOf(incidentRow),
});

async function readHealth({ incidents }: Sources): Promise<z.output<typeof health>> {
  const rows = (await incidents()).map(toRow);
  const status = rows.some(({ isUrgent }) => isUrgent) ? 'failing' : rows.length > 0 ? 'degraded' : 'healthy';
  return { status, incidents: rows };
}

const columns = ['incident', 'title', 'since', 'customer', 'name', 'count', 'unit'] as const;

const customersOf = (incidents: readonly Incident[]) =>
  incidents.flatMap((incident) =>
    incident.customers.map(({ id: customer, name, count }) => ({
      ...{ incident: nameOf(incident), title: incident.title, since: new Date(incident.since) },
      ...{ customer, name, count, unit: incident.unit },
    })),
  );

const csvOf = async ({ incidents }: Sources): Promise<Readable> => {
  const rows = customersOf(await incidents());
  return await openCsv({ columns, after: undefined, limit: undefined, readPage: async () => ({ rows, next: null }) });
};

/** Whether all is well, for programs, and what each incident holds up of which customer. */
export const incidentsView: View = {
  call: {
    method: 'GET',
    path: '/health',
    id: 'getHealth',
    summary: 'Shows incidents, and whether all is well; as CSV, what they hold up for each customer',
    tag: 'Operations',
    description:
      'Use it to see whether somebody has to act: `status` is `healthy`, `degraded`, or `failing` with an urgent incident. Each incident has its cause, how many subjects and customers it affects, and what helps. As CSV: which subjects of which customer each one holds up.',
    role: 'read',
    params: z.object({}),
    answers: { 200: 'Health' },
    schemas: { Incident: incidentRow, Health: health },
    answer: readHealth,
    csv: csvOf,
  },
  pages: [
    {
      path: '/incidents.csv',
      role: 'read',
      open: (sources) => async () => ({ name: 'incidents.csv', csv: await csvOf(sources) }),
    },
  ],
};
