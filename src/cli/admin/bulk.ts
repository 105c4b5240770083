import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { shownBulk } from '../../bulk/views/row.ts';
import type { BulkName } from '../../store/schema.ts';
import { clean, createProgress } from '../output.ts';
import type { AdminClient } from './client.ts';
import { facts, table } from './layout.ts';
import type { Given } from './options.ts';

/** Bulk action as the API answers it. */
export type Bulk = z.input<typeof shownBulk>;

/** Time between two queries of the progress, in milliseconds. */
const POLL_MS = 500;

/** Previews an action on everything that a filter names; if confirmed, does it and waits for the end. */
export async function actOnAll(client: AdminClient, action: BulkName, filter: Given, isConfirmed: boolean) {
  const previewed: Bulk = await client.post('/bulk', { action, filter });
  return isConfirmed && previewed.total > 0 ? await confirm(client, String(previewed.id)) : previewed;
}

/** Starts what was previewed, and waits for its end with the progress on standard error. It goes on without the command. */
export async function confirm(client: AdminClient, id: string): Promise<Bulk> {
  const path = `/bulk/${encodeURIComponent(id)}`;
  const progress = createProgress(process.stderr);
  let bulk: Bulk = await client.post(`${path}/confirm`);
  while (bulk.state === 'running') {
    const trouble = bulk.trouble === null ? '' : `; ${bulk.trouble}`;
    progress.show(`${bulk.done + bulk.asked + bulk.failed} of ${bulk.total} tried, ${bulk.failed} failed${trouble}`);
    await wait(POLL_MS);
    bulk = await client.get(path);
  }
  progress.end();
  if (bulk.asked + bulk.failed > 0) process.exitCode = 1;
  return bulk;
}

/** Formats a bulk action: what it would do, or how far it is and what failed. */
export function describeBulk({ failures, sample, filter, ...bulk }: Bulk): string {
  const { id, action, state, total, done, asked, failed, trouble, createdAt: chosen, createdBy: by } = bulk;
  const isPreview = state === 'previewed';
  const filters = Object.entries(filter).map(([name, value]) => `${name}: ${value}`);
  return [
    facts([
      ...Object.entries({ id, action, filter: filters.join(', ') || 'everything', state, chosen, by }),
      ...Object.entries({ confirmed: bulk.confirmedAt, ended: bulk.finishedAt, total }),
      ...(isPreview ? [] : Object.entries({ done, asked, failed, trouble })),
    ]),
    ...(isPreview && total === 0 ? ['Nothing matches: there is nothing to do.'] : []),
    ...(isPreview && total > 0 ? [`Among them\n${sample.map(clean).join('\n')}`] : []),
    ...(failures.length > 0 ? [`Failed\n${table(failures.map(({ target, error }) => ({ target, error })))}`] : []),
    ...(isPreview && total > 0
      ? [`Nothing was done yet. To do it, run this before ${bulk.expiresAt}: dockline admin bulk confirm ${id}`]
      : []),
  ].join('\n\n');
}
