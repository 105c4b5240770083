import type { z } from 'zod';
import { describeActor } from '../../admin/audit.ts';
import { plural } from '../../base/text.ts';
import { withoutSubject } from '../../domain/catalogue/subject.ts';
import { describeGets } from '../../domain/lifecycle/gets.ts';
import { describeRefusal } from '../../domain/lifecycle/refusal.ts';
import { describeErased } from '../../subjects/actions.ts';
import type { noteRow } from '../../subjects/views/subject/notes.ts';
import type { shownSubject } from '../../subjects/views/subject/read.ts';
import { clean } from '../output.ts';
import { facts, page } from './layout.ts';

type Subject = z.input<typeof shownSubject>;

export function describeSubject({
  announcements,
  retrievals,
  webhooks,
  waitingWebhooks,
  notes,
  erasures,
  ...subject
}: Subject) {
  const timeline = [
    ...webhooks.map(
      ({ receivedAt, event, eventId, observedAt }) =>
        `${receivedAt} webhook ${event ?? ''} (${eventId})${observedAt === null ? ' waits to be recorded' : ''}`,
    ),
    ...retrievals.map((it) => `${it.at} ${describeRetrieval(it)}`),
    ...announcements.map((it) => `${it.createdAt} ${describeAnnouncement(it)}`),
  ].map(clean);
  const unsent = announcements.filter(({ state }) => state === 'unsent').length;
  const { tenant, kind, id, stage, stageSince: since, retrieving, announcing, customerId: customer } = subject;
  const { facilityId: facility, referenceNumber: reference, revision } = subject;
  return [
    facts([
      ...Object.entries({ tenant, kind, id, stage, since, attention: subject.attention.join(', ') }),
      ...[retrieving, announcing].flatMap((it) => (it ? [['failing', describeFailure(it)] as const] : [])),
      ...subject.refused.map((refusal) => ['refused', describeRefusal(refusal)] as const),
      ['taken', subject.takenBy && `by ${subject.takenBy} at ${subject.takenAt}`],
      ['waiting', `${plural(waitingWebhooks.length, 'event')}, ${plural(unsent, 'announcement')}`],
      ...Object.entries({ customer, facility, reference, revision }),
      ...Object.entries({ due: subject.dueAt, because: subject.dueBecause }),
      ...Object.entries({ 'last event': subject.lastEventAt, updated: subject.updatedAt }),
      ...erasures.map((it) => ['erased', `${it.at} by ${it.by}: ${describeErased(it)}`] as const),
    ]),
    ...(notes.length > 0 ? [`Notes\n${notes.map(describeNote).join('\n')}`] : []),
    `Timeline\n${timeline.sort().join('\n') || 'Nothing.'}`,
    `Announcements\n${page({ items: announcements })}`,
  ].join('\n\n');
}

const describeRetrieval = ({ gets, refused, failure }: Subject['retrievals'][number]): string =>
  [
    failure === null ? describeGets(gets) : `failed at first: ${describeRefusal(failure)}`,
    ...refused.map((it) => `refused: ${describeRefusal(it)}`),
  ].join(' · ');

const describeAnnouncement = ({ id, destination, state }: Subject['announcements'][number]): string =>
  `${withoutSubject(id)} ${destination === null ? 'for no destination' : `to ${destination}: ${state}`}`;

const describeFailure = ({ attempts, ...it }: NonNullable<Subject['retrieving']>): string =>
  `${it.operation}: ${it.error} (${plural(attempts, 'attempt')} since ${it.since}, next at ${it.nextTryAt})`;

export const describeNote = ({ id, at, token, operator, text }: z.input<typeof noteRow>): string =>
  clean(`#${id} ${at} ${describeActor({ token, operator })}: ${text.replaceAll('\n', '\n  ')}`);
