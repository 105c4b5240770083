import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { done } from '../admin/audit.ts';
import { backIn, destinationAddress } from '../admin/board/addresses.ts';
import { announcementParams } from '../admin/call.ts';
import { count } from '../admin/views/view.ts';
import { plural } from '../base/text.ts';
import { found, Problem } from '../http/problem.ts';
import type { Redelivery } from './tables/redelivery.ts';
import { findAnnouncement } from './views/announcement-row.ts';
import { auditTarget, destinationParams, isSilent, readDestination } from './views/destination-row.ts';

export interface SendingParts {
  readonly redelivery: Pick<Redelivery, 'requeue' | 'sendBacklogNow'>;
}

const defineAction = actionsWith<SendingParts>();

export const sendDestinationNow = defineAction({
  path: '/destinations/{tenant}/{name}/send-now',
  id: 'sendDestinationNow',
  summary: 'Sends a destination everything that waits for a retry now, in order',
  tag: 'Destinations',
  description:
    'Use it once a receiver works again, instead of waiting for the next retries. 404 if there is no such destination, 409 if nothing waits for it or it is paused or stopped.',
  params: destinationParams,
  answers: {
    202: {
      SentAllNow: z.object({ waiting: count.describe('Announcements that waited; at most 10,000 are counted.') }),
    },
  },
  problems: [404, 409],
  find: async (deps, ref) => found(await readDestination(deps, ref), 'There is no such destination.'),
  async run({ redelivery }, row) {
    if (isSilent(row))
      throw new Problem(409, `Nothing is sent to ${row.name}, which is ${row.state}: resume it first.`);
    const waiting = row.unsent - row.deadLetters;
    if (waiting === 0) throw new Problem(409, 'Nothing waits for it.');
    await redelivery.sendBacklogNow(row);
    return { waiting };
  },
  audit: {
    action: 'send-now',
    target: auditTarget,
    end: ({ waiting }) => done(plural(waiting, 'announcement')),
  },
  back: destinationAddress,
  notices: { 'all-sent-now': 'Everything that was waiting for it is being sent now, in order.' },
});

export const resendAnnouncement = defineAction({
  path: '/announcements/{id}/resend',
  id: 'resendAnnouncement',
  summary: 'Sends a dead-lettered announcement again',
  tag: 'Announcements',
  description:
    'Use it once the receiver works again: every destination that gave the announcement up gets it once more, under the same id. 404 if there is no such announcement, 409 if all destinations have acknowledged it or none wants it.',
  params: announcementParams,
  answers: { 202: { Resent: z.object({ asked: count.describe('Number of destinations that it is sent to again.') }) } },
  problems: [404, 409],
  find: findAnnouncement,
  async run({ redelivery }, rows) {
    const asked = rows.filter(({ state }) => state !== 'sent' && state !== 'unwanted');
    if (rows[0].destination === null) throw new Problem(409, 'No destination wants the announcement.');
    if (asked.length === 0) throw new Problem(409, 'Every destination has acknowledged the announcement.');
    await redelivery.requeue([rows[0].id]);
    return { asked: asked.length };
  },
  audit: { action: 'resend', target: ([{ id }]) => ({ type: 'announcement', id }) },
  back: (_announcement, form) => backIn(form),
  notices: { resent: 'The announcement is being sent again.' },
});
