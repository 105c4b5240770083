import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { done } from '../admin/audit.ts';
import { backIn, destinationAddress } from '../admin/board/addresses.ts';
import { announcementParams } from '../admin/call.ts';
import { text } from '../admin/queries.ts';
import { count } from '../admin/views/view.ts';
import { plural } from '../base/text.ts';
import { found, Problem } from '../http/problem.ts';
import type { Redelivery } from './tables/redelivery.ts';
import { type AnnouncementRow, findAnnouncement } from './views/announcement-row.ts';
import { auditTarget, destinationParams, isSilent, readDestination } from './views/destination-row.ts';

export interface SendingParts {
  readonly redelivery: Pick<Redelivery, 'requeue' | 'sendNow' | 'sendBacklogNow'>;
}

const defineAction = actionsWith<SendingParts>();

export const sendAnnouncementNow = defineAction({
  path: '/announcements/{id}/send-now',
  id: 'sendAnnouncementNow',
  summary: 'Sends an announcement now instead of waiting for the next retry',
  tag: 'Announcements',
  description:
    'Skips the wait for the next retry. Older announcements of the same subject go first, since order is kept. 404 if there is no such announcement, 409 if it waits for no destination, or for one that is paused or stopped.',
  params: announcementParams,
  body: z.looseObject({
    destination: text.exactOptional().describe('Default: every destination that is still to get it.'),
  }),
  answers: { 202: { SentNow: z.object({ asked: count.describe('Number of destinations that it is sent to.') }) } },
  problems: [404, 409],
  find: findAnnouncement,
  async run({ redelivery }, rows, { body: { destination } }) {
    const destinations = waitingOf(rows, destination);
    await redelivery.sendNow(rows[0].id, destinations);
    return { asked: destinations.length };
  },
  audit: { action: 'send-now', target: ([{ id }]) => ({ type: 'announcement', id }) },
  back: (_announcement, form) => backIn(form),
  notices: { 'sent-now': 'The announcement is being sent now.' },
});

function waitingOf(rows: readonly AnnouncementRow[], chosen: string | undefined): readonly string[] {
  const waiting = rows.flatMap(({ state, destination, isOnHold }) =>
    state === 'unsent' && destination !== null && (chosen ?? destination) === destination
      ? [{ destination, isOnHold }]
      : [],
  );
  if (waiting.length === 0)
    throw new Problem(409, `It does not wait for ${chosen === undefined ? 'any destination' : `"${chosen}"`}.`);
  const open = waiting.filter(({ isOnHold }) => !isOnHold).map(({ destination }) => destination);
  if (open.length > 0) return open;
  throw silenced(waiting.map(({ destination }) => `"${destination}"`).join(', '));
}

const silenced = (names: string) =>
  new Problem(409, `Nothing is sent to ${names}, which is paused or stopped: resume it first.`);

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
    if (isSilent(row)) throw silenced(`"${row.name}"`);
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
