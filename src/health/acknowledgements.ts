import type { Kysely } from 'kysely';
import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { explained } from '../admin/queries.ts';
import { instant } from '../admin/views/view.ts';
import { type Acknowledgement, type Incident, isCovered, nameOf } from '../domain/health/incident.ts';
import { found } from '../http/problem.ts';
import { deleteRows, putRows } from '../store/rows.ts';
import type { Database, StoreDeps } from '../store/schema.ts';

type Acknowledgements = ReturnType<typeof createAcknowledgements>;

export function createAcknowledgements({ db, now }: StoreDeps) {
  return {
    /** Replaces an earlier one. Returns when. */
    async add(incident: Incident, by: string): Promise<number> {
      const row = { incident: nameOf(incident), by, at: now(), sort: incident.sort, count: incident.count };
      await putRows(db, 'acknowledgements', row).execute();
      return row.at;
    },

    async remove(incident: string): Promise<boolean> {
      const removed = await deleteRows(db, 'acknowledgements', { incident }).executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

export async function withAcknowledgements(
  reads: Kysely<Database>,
  incidents: readonly Incident[],
): Promise<readonly Incident[]> {
  if (incidents.length === 0) return incidents;
  const stored = reads.selectFrom('acknowledgements').selectAll().execute();
  // The database may be what does not answer.
  const rows = await stored.catch(() => []);
  const known = new Map<string, Acknowledgement>(rows.map((it) => [it.incident, it]));
  return incidents.map((incident) => {
    const acknowledgement = known.get(nameOf(incident));
    if (acknowledgement === undefined || !isCovered(incident, acknowledgement)) return incident;
    return { ...incident, acknowledged: { by: acknowledgement.by, at: acknowledgement.at } };
  });
}

export interface HealthParts {
  readonly incidents: () => Promise<readonly Incident[]>;
  readonly acknowledgements: Acknowledgements;
}

const defineAction = actionsWith<HealthParts>();

const params = z.object({ incident: explained(z.string(), 'Name of the incident.', 'warehouse-failing@9104') });

const target = (name: string) => ({ type: 'alert', id: name }) as const;

const acknowledge = defineAction({
  path: '/incidents/{incident}/acknowledge',
  id: 'acknowledgeIncident',
  summary: 'Acknowledges an incident: shows others that you are on it, and ends its reminders',
  tag: 'Alerts',
  description:
    'Holds for the incident as it is now: once it has other answers, has grown tenfold, or has ended and come back, it is unacknowledged, and people are notified. Nothing else changes: `/health` shows it, and its end is reported. 404 if there is no such incident.',
  params,
  answers: { 200: { AcknowledgedIncident: z.object({ incident: z.string(), by: z.string(), at: instant }) } },
  problems: [404],
  find: async ({ incidents }, { incident: name }) =>
    found(
      (await incidents()).find((it) => nameOf(it) === name),
      'There is no such incident now.',
    ),
  async run({ acknowledgements }, incident, { actor }) {
    const by = actor.operator ?? actor.token;
    return { incident: nameOf(incident), by, at: new Date(await acknowledgements.add(incident, by)) };
  },
  audit: { action: 'acknowledge', target: (incident) => target(nameOf(incident)) },
  asksWho: true,
  back: () => '/board',
  notices: { acknowledged: 'Acknowledged: others see that you are on it.' },
});

const unacknowledge = defineAction({
  path: '/incidents/{incident}/unacknowledge',
  id: 'unacknowledgeIncident',
  summary: 'Takes back the acknowledgement of an incident',
  tag: 'Alerts',
  description: 'Its reminders resume. 404 if it is not acknowledged.',
  params,
  answers: { 200: { UnacknowledgedIncident: z.object({ incident: z.string() }) } },
  problems: [404],
  find: async (_parts, { incident }) => incident,
  async run({ acknowledgements }, incident) {
    found((await acknowledgements.remove(incident)) || undefined, 'The incident is not acknowledged.');
    return { incident };
  },
  audit: { action: 'unacknowledge', target },
  back: () => '/board',
  notices: { unacknowledged: 'No longer acknowledged.' },
});

export const healthActions = [acknowledge, unacknowledge];
