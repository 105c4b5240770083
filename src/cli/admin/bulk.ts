import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { shownBulk } from '../../bulk/views/row.ts';
import { clean, createProgress } from '../output.ts';
import type { AdminClient } from './client.ts';
import { facts, table } from './layout.ts';

type Bulk = z.input<typeof shownBulk>;

const POLL_MS = 500;

/** Confirms a preview if asked for, and follows what runs on standard error; it goes on if the command is ended. */
export async function carryOut(client: AdminClient, begun: Bulk, isConfirmed: boolean): Promise<Bulk> {
  const path = `/bulk/${begun.id}`;
  const progress = createProgress(process.stderr);
  const isToDo = isConfirmed && begun.state === 'previewed' && begun.total > 0;
  let bulk: Bulk = isToDo ? await client.post(`${path}/confirm`) : begun;
  while (bulk.state === 'running') {
    const trouble = bulk.trouble === null ? '' : `; ${bulk.trouble}`;
    progress.show(`${bulk.done + bulk.asked + bulk.failed} of ${bulk.total} tried, ${bulk.failed} failed${trouble}`);
    await wait(POLL_MS);
    bulk = await client.get(path);
  }
  progress.end();
  if (bulk !== begun && bulk.asked + bulk.failed > 0) process.exitCode = 1;
  return bulk;
}

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
