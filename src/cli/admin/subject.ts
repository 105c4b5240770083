import type { z } from 'zod';
import { describeErased } from '../../admin/actions.ts';
import { describeActor } from '../../admin/audit.ts';
import type { noteRow } from '../../admin/views/subject/notes.ts';
import type { shownSubject } from '../../admin/views/subject/read.ts';
import { plain } from '../../domain/markdown.ts';
import { plural } from '../../domain/text.ts';
import { clean } from '../output.ts';
import { facts, page } from './layout.ts';

type Subject = z.input<typeof shownSubject>;

/** Formats a subject with its timeline and announcements. */
export function describeSubject({
  live,
  liveProblem,
  announcements,
  waitingWebhooks,
  notes,
  erasures,
  ...subject
}: Subject) {
  const happened = live ? live.timeline.map((line) => clean(plain(line.replace(/^- /, '')))) : [];
  const received = waitingWebhooks.map(
    (it) => `${it.receivedAt} webhook ${clean(it.event)} (${clean(it.eventId)}) waits to be recorded`,
  );
  // In the order in which things were done; an event may have happened long before.
  const timeline = [...(live ? [] : [`Not shown: ${liveProblem}`]), ...happened, ...received];
  const unsent = announcements.filter(({ state }) => state === 'unsent').length;
  const { tenant, kind, id, stage, stageSince: since, retrieving, announcing, customerId: customer } = subject;
  const { facilityId: facility, referenceNumber: reference, revision } = subject;
  return [
    facts([
      ...Object.entries({ tenant, kind, id, stage, since, attention: subject.attention.join(', ') }),
      ...[retrieving, announcing].flatMap((it) => (it ? [['failing', describeFailure(it)] as const] : [])),
      ...subject.refused.map((refusal) => ['refused', refusal] as const),
      ['taken', subject.takenBy && `by ${subject.takenBy} at ${subject.takenAt}`],
      ['waiting', `${plural(waitingWebhooks.length, 'event')}, ${plural(unsent, 'announcement')}`],
      ...Object.entries({ customer, facility, reference, revision }),
      ...Object.entries({ due: subject.dueAt, because: subject.dueBecause }),
      ...Object.entries({ 'last event': subject.lastEventAt, updated: subject.updatedAt }),
      ...erasures.map((it) => ['erased', `${it.at} by ${it.by}: ${describeErased(it)}`] as const),
    ]),
    ...(notes.length > 0 ? [`Notes\n${notes.map(describeNote).join('\n')}`] : []),
    `Timeline\n${timeline.join('\n') || 'Nothing.'}`,
    `Announcements\n${page({ items: announcements })}`,
  ].join('\n\n');
}

const describeFailure = ({ attempts, ...it }: NonNullable<Subject['retrieving']>): string =>
  `${it.operation}: ${it.error} (${plural(attempts, 'attempt')} since ${it.since}, next at ${it.nextTryAt})`;

/** Formats a note. */
export const describeNote = ({ id, at, token, operator, text }: z.input<typeof noteRow>): string =>
  clean(`#${id} ${at} ${describeActor({ token, operator })}: ${text.replaceAll('\n', '\n  ')}`);
