import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { done } from '../admin/audit.ts';
import { idParams } from '../admin/queries.ts';
import { count } from '../admin/views/view.ts';
import type { Entry } from '../domain/quarantine.ts';
import { found } from '../http/problem.ts';
import type { InboxRows } from './tables/inbox-rows.ts';
import { type QuarantinedFilter, type QuarantinedRow, readReason } from './tables/quarantined.ts';
import { listQuarantined } from './views/quarantine.ts';

/** Per read: the largest bodies have to fit into memory together. */
const PAGE = 20;

/** Returns the number of those understood now; the others stay, with their current reason. */
export async function reprocessQuarantined({
  rows,
  read,
}: {
  readonly rows: Pick<InboxRows, 'quarantinedAfter' | 'add' | 'discard' | 'changeReason'>;
  readonly read: (row: QuarantinedRow) => Entry | Promise<Entry>;
}): Promise<number> {
  let reprocessed = 0;
  let page = await rows.quarantinedAfter(0, PAGE);
  while (page.length > 0) {
    const readings = await Array.fromAsync(page, async (row) => ({ row, entry: await read(row) }));
    const understood = readings.filter(({ entry }) => entry.quarantineReason === undefined);
    const added = await rows.add(understood.map(({ entry }) => entry));
    reprocessed += added.filter(Boolean).length;
    await rows.discard(understood.map(({ row }) => row.id));
    const misunderstood = Map.groupBy(readings, ({ entry }) => JSON.stringify(entry.quarantineReason));
    for (const [reason, of] of misunderstood) {
      const changed = of.filter(({ row }) => JSON.stringify(readReason(row)) !== reason);
      const ids = changed.map(({ row }) => row.id);
      if (reason !== undefined && ids.length > 0) await rows.changeReason(ids, JSON.parse(reason));
    }
    page = await rows.quarantinedAfter(page.at(-1)?.id ?? 0, PAGE);
  }
  return reprocessed;
}

export interface ReprocessParts {
  /** Returns the number of those that are now understood. */
  readonly reprocess: (filter: QuarantinedFilter) => Promise<number>;
}

const defineAction = actionsWith<ReprocessParts>();

export const reprocessAction = defineAction({
  path: '/quarantine/{id}/reprocess',
  id: 'reprocessQuarantined',
  summary: 'Reprocesses a quarantined webhook, which is ingested if it is now understood',
  tag: 'Webhooks',
  description:
    'Use it once the cause is fixed: `ingested` is 1 if the delivery was understood, or 0 if it stays in quarantine. 404 if it is not in quarantine.',
  params: idParams,
  answers: { 200: { Reprocessed: z.object({ ingested: count }) } },
  problems: [404],
  async find(deps, { id }) {
    const [webhook] = await listQuarantined(deps, { id }, 1);
    return found(webhook, 'The event is not quarantined.');
  },
  run: async ({ reprocess }, { id }) => ({ ingested: await reprocess({ id }) }),
  audit: {
    action: 'reprocess',
    target: ({ id }) => ({ type: 'delivery', id: String(id) }),
    end: ({ ingested }) => done(ingested === 0 ? 'still not understood' : null),
  },
  back: ({ id }) => `/board/deliveries/${id}`,
  notices: {
    reprocessed: 'Reprocessed: the webhook is now understood.',
    'not-reprocessed': 'Reprocessed: the webhook is still not understood.',
  },
  noticeOf: ({ ingested }) => (ingested === 0 ? 'not-reprocessed' : 'reprocessed'),
});
