import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { done } from '../admin/audit.ts';
import { idParams } from '../admin/queries.ts';
import { count } from '../admin/views/view.ts';
import { found } from '../http/problem.ts';
import type { QuarantinedFilter } from './tables/quarantined.ts';
import { listQuarantined } from './views/quarantine.ts';

export interface ReprocessParts {
  /** Returns the number of those that are now understood. */
  readonly reprocess: (filter: QuarantinedFilter) => Promise<number>;
}

const defineAction = actionsWith<ReprocessParts>();

export const reprocessQuarantined = defineAction({
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
