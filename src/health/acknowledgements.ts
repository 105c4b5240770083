import type { Kysely } from 'kysely';
import { type Acknowledgement, type Incident, isCovered, nameOf } from '../domain/health/incident.ts';
import { deleteRows, putRows } from '../store/rows.ts';
import type { Database, StoreDeps } from '../store/schema.ts';

export type Acknowledgements = ReturnType<typeof createAcknowledgements>;

export function createAcknowledgements({ db, now }: StoreDeps) {
  return {
    /** Replaces an earlier one. Returns when. */
    async add(incident: Incident, by: string): Promise<number> {
      const row = { incident: nameOf(incident), by, at: now(), sort: incident.sort, count: incident.count };
      await putRows(db, 'acknowledgements', row).execute();
      return row.at;
    },

    /** False if there was none. */
    async remove(incident: string): Promise<boolean> {
      const removed = await deleteRows(db, 'acknowledgements', { incident }).executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

/** For incidents as they are now. */
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
