import type { Readable } from 'node:stream';
import { z } from 'zod';
import { html, type Markup } from '../../../admin/board/html.ts';
import type { Page } from '../../../admin/board/layout.ts';
import { livePage } from '../../../admin/board/responder.ts';
import { numeric, table } from '../../../admin/board/table.ts';
import { age, number, untrusted } from '../../../admin/board/text.ts';
import { openCsv } from '../../../admin/views/csv.ts';
import { listOf, type Sources, type View } from '../../../admin/views/view.ts';
import { type Incident, nameOf } from '../../../domain/health/incident.ts';
import { idOf } from './list.ts';
import { incidentRow, toRow } from './row.ts';

const states = ['healthy', 'degraded', 'failing'] as const;

/** Form of the health of the installation, or of the part that a token sees. */
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

/** Returns a row for each customer of each incident. */
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

/** Incidents: whether all is well, for programs, and what each holds up of which customer. */
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
      path: '/incidents',
      role: 'read',
      open: (sources) => {
        const read = sources.share(sources.incidents);
        return async () => livePage(incidentsPage, { incidents: await read() });
      },
    },
    {
      path: '/incidents.csv',
      role: 'read',
      open: (sources) => async () => ({ name: 'incidents.csv', csv: await csvOf(sources) }),
    },
  ],
};

const incidentsPage = ({
  incidents,
  now,
}: {
  readonly incidents: readonly Incident[];
  readonly now: number;
}): Page => ({
  title: 'Incidents',
  section: 'overview',
  content: html`<h1>Incidents</h1>
${incidents.length === 0 ? html`<p class="empty">No incident.</p>` : html`<p><a href="/board/incidents.csv" download>Download as CSV</a></p>`}
${incidents.map((it) => heldUp(it, now))}`,
});

const heldUp = (incident: Incident, now: number): Markup => html`<section id="${idOf(incident)}">
<h2 id="${idOf(incident)}-customers"><a href="${incident.path}">${untrusted(incident.title, 300)}</a></h2>
<p class="muted">For ${age(incident.since, now)}</p>
${
  incident.customers.length > 0 &&
  table({
    heading: `${idOf(incident)}-customers`,
    columns: ['Customer', 'Name', numeric('Waiting')],
    rows: incident.customers.map(({ id, name, count }) => ({
      cells: [
        id === null ? 'not known yet' : untrusted(id, 60),
        name === null ? '' : untrusted(name, 60),
        number(count),
      ],
    })),
  })
}</section>`;
