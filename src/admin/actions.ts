import { z } from 'zod';
import { messageOf } from '../domain/errors.ts';
import { found, Problem } from '../http/problem.ts';
import { type Action, defineAction } from './action.ts';
import { alertActions } from './alert-actions.ts';
import { done } from './audit.ts';
import { ownAddress } from './board/addresses.ts';
import { announcementParams } from './call.ts';
import { destinationActions } from './destination-actions.ts';
import { nameActions } from './name-actions.ts';
import { idParams } from './queries.ts';
import { sendAnnouncementNow } from './send-now.ts';
import { subjectActions } from './subject-actions.ts';
import { findAnnouncement } from './views/announcement-row.ts';
import { listQuarantined } from './views/quarantine.ts';
import { count } from './views/view.ts';

const resendAnnouncement = defineAction({
  path: '/announcements/{id}/resend',
  id: 'resendAnnouncement',
  summary: 'Sends a dead-lettered announcement again',
  tag: 'Announcements',
  description:
    'Use it once the receiver works again: every destination that gave the announcement up gets it once more, under the same id. 404 if there is no such announcement, 409 if all destinations have acknowledged it or none wants it.',
  params: announcementParams,
  answers: { 202: 'Resent' },
  schemas: { Resent: z.object({ asked: count.describe('Number of destinations that it is sent to again.') }) },
  problems: [404, 409],
  find: findAnnouncement,
  async run({ deadLetters }, rows) {
    const asked = rows.filter(({ state }) => state !== 'sent' && state !== 'unwanted');
    if (rows[0].destination === null) throw new Problem(409, 'No destination wants the announcement.');
    if (asked.length === 0) throw new Problem(409, 'Every destination has acknowledged the announcement.');
    await deadLetters.requeue([rows[0].id]);
    return { asked: asked.length };
  },
  audit: { action: 'resend', target: ([{ id }]) => ({ type: 'announcement', id }) },
  answer: (answer) => ({ status: 202, answer }),
  back: (_announcement, form) => ownAddress((form as { back?: unknown } | null)?.back),
  notices: { resent: 'The announcement is being sent again.' },
});

const replayQuarantined = defineAction({
  path: '/quarantine/{id}/replay',
  id: 'replayQuarantined',
  summary: 'Replays a quarantined webhook, which is ingested if it is now understood',
  tag: 'Webhooks',
  description:
    'Use it once the cause is fixed: `ingested` is 1 if the delivery was understood, or 0 if it stays in quarantine. 404 if it is not in quarantine.',
  params: idParams,
  answers: { 200: 'Replayed' },
  schemas: { Replayed: z.object({ ingested: count }) },
  problems: [404],
  async find(deps, { id }) {
    const [webhook] = await listQuarantined(deps, { id }, 1);
    return found(webhook, 'The event is not quarantined.');
  },
  run: async ({ replay }, { id }) => ({ ingested: await replay({ id }) }),
  audit: {
    action: 'replay',
    target: ({ id }) => ({ type: 'delivery', id: String(id) }),
    end: ({ ingested }) => done(ingested === 0 ? 'still not understood' : null),
  },
  back: ({ id }) => `/board/deliveries/${id}`,
  notices: {
    replayed: 'Replayed: the webhook is now understood.',
    'not-replayed': 'Replayed: the webhook is still not understood.',
  },
  noticeOf: ({ ingested }) => (ingested === 0 ? 'not-replayed' : 'replayed'),
});

const backUp = defineAction({
  path: '/backup',
  id: 'backUp',
  summary: 'Copies the SQLite store to a file in the data folder',
  tag: 'Operations',
  description:
    'Makes a consistent copy while Dockline runs, in the folder `backups` of the data folder. 409 if the store is in PostgreSQL, which has `pg_dump`; 500 if the disk refuses the copy.',
  answers: { 200: 'BackedUp' },
  schemas: {
    BackedUp: z.object({ file: z.string().describe('Path on the machine of Dockline.'), bytes: count }),
  },
  problems: [409],
  async find({ backUp: copy }) {
    if (copy) return copy;
    throw new Problem(409, 'The store is in PostgreSQL; back it up with pg_dump.');
  },
  run: (_deps, copy) =>
    copy().catch((cause: unknown) => {
      throw new Problem(500, `The backup failed: ${messageOf(cause)}`, { cause });
    }),
  audit: { action: 'backup', target: () => ({ type: 'store', id: 'database' }) },
});

/** Everything that a person can change of one thing. Bulk actions are apart. */
export const actions: readonly Action[] = [
  ...subjectActions,
  resendAnnouncement,
  sendAnnouncementNow,
  replayQuarantined,
  backUp,
  ...destinationActions,
  ...alertActions,
  ...nameActions,
];
