import { messageOf } from '../../domain/errors.ts';
import type { IncidentRow } from '../../health/views/incidents/row.ts';
import { failed, ok, type Reporter, skipped, warning } from './check.ts';

/** Reads the open incidents of the Dockline that runs. */
export type ReadIncidents = () => Promise<readonly Pick<IncidentRow, 'name' | 'title' | 'isUrgent' | 'help'>[]>;

/** Shows what the Dockline that runs says is wrong; nothing here judges that again. */
export async function checkIncidents({ check }: Reporter, read: ReadIncidents): Promise<void> {
  const incidents = await check<Awaited<ReturnType<ReadIncidents>>>('incidents', 'the Dockline that runs', async () => {
    try {
      const found = await read();
      return ok(found.length === 0 ? 'nothing is wrong' : `${found.length} open`, found);
    } catch (error) {
      return skipped(messageOf(error));
    }
  });
  for (const { name, title, isUrgent, help } of incidents ?? [])
    await check(name, 'incident', async () => (isUrgent ? failed : warning)(title, help));
}
