import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { ownAddress } from '../admin/board/addresses.ts';
import { announcementParams } from '../admin/call.ts';
import { count } from '../admin/views/view.ts';
import { Problem } from '../http/problem.ts';
import type { DeadLetters } from './tables/dead-letters.ts';
import { findAnnouncement } from './views/announcement-row.ts';

/** Parts that resending uses. */
export interface ResendParts {
  readonly deadLetters: Pick<DeadLetters, 'requeue'>;
}

const defineAction = actionsWith<ResendParts>();

export const resendAnnouncement = defineAction({
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
