import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Store } from '../../src/app/store.ts';
import { createAdminClient } from '../../src/cli/admin/client.ts';
import { createAdminCommand } from '../../src/cli/admin/commands.ts';
import type { Machine } from '../../src/health/sources.ts';
import { createMetrics } from '../../src/observability/metrics/metrics.ts';
import { createIncidentGauges } from '../../src/observability/metrics/stored.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { openTestHealth } from './sound-machine.ts';

interface Row {
  readonly name: string;
}

/** Reads the incidents in every place that shows them: their names, their ids on the first page, and the output of the command. */
export async function readPlaces(store: Store, machine: Machine) {
  const health = openTestHealth(store, machine);
  const { url, get } = await openAdmin({ store, health });
  const page = await (await fetch(`${url}/board`)).text();
  const output = new PassThrough();
  const admin = createAdminCommand(
    createAdminClient(() => ({ url, token: undefined })),
    output,
  );
  await admin.parseAsync(['status'], { from: 'user' });
  output.end();
  const metrics = createMetrics();
  await createIncidentGauges(metrics, health.whole.open, store.now)();
  const series = (await metrics.registry.metrics()).matchAll(
    /^dockline_incident\{condition="([^"]*)",place="([^"]*)"\}/gm,
  );
  const namesOf = async (path: string) => (await get(path)).body.incidents.map(({ name }: Row) => name);
  return {
    board: [...page.matchAll(/<li class="card incident[^"]*" id="incident-([^"]*)"/g)].map(([, id]) => id),
    status: await namesOf('/status'),
    health: await namesOf('/health'),
    command: await text(output),
    metric: [...series].map(([, condition, place]) => `${condition}@${place}`),
  };
}
