import type { z } from 'zod';
import type { Backup } from '../../admin/action.ts';
import { describeErased } from '../../admin/actions.ts';
import { describeActor } from '../../admin/audit.ts';
import type { LiveSubject } from '../../admin/subject-control.ts';
import type { shownAnnouncement } from '../../admin/views/announcement.ts';
import type { ShownBody } from '../../admin/views/body.ts';
import type { bulkRow, shownBulk } from '../../admin/views/bulk/row.ts';
import type { status } from '../../admin/views/status.ts';
import type { noteRow } from '../../admin/views/subject/notes.ts';
import type { shownSubject } from '../../admin/views/subject/read.ts';
import { plain } from '../../domain/markdown.ts';
import { plural } from '../../domain/text.ts';
import type { Erasable } from '../../store/erasures.ts';
import { clean } from '../output.ts';
import { describeAttempts } from './attempts.ts';
import { type Cell, facts, page, type ShownPage, table } from './layout.ts';
import { describePage } from './list-commands.ts';

type Bulk = z.input<typeof bulkRow>;

const filterOf = ({ filter }: Bulk): string =>
  Object.entries(filter)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || 'everything';

/** Formats a list of bulk actions. */
export const listBulk = (answer: ShownPage<Bulk>): string =>
  page(answer, (it) => ({
    id: it.id,
    action: it.action,
    filter: filterOf(it),
    state: it.state,
    chosen: it.createdAt,
    by: it.createdBy,
    total: it.total,
    done: it.done,
    asked: it.asked,
    failed: it.failed,
  }));

/** Formats a bulk action: what it would do, or how far it is and what failed. */
export function describeBulk({ failures, ...bulk }: z.input<typeof shownBulk>): string {
  const { id, action, state, total, done, asked, failed, trouble, sample } = bulk;
  const isPreview = state === 'previewed';
  return [
    facts([
      ...Object.entries({ id, action, filter: filterOf(bulk), state, chosen: bulk.createdAt, by: bulk.createdBy }),
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

/** Formats an event with its body. */
export const describeBody = ({ body, encoding, ...rest }: Record<string, Cell> & ShownBody): string =>
  [facts(Object.entries(rest)), textOf({ body, encoding })].join('\n\n');

function textOf({ body, encoding }: ShownBody): string {
  if (body === null) return 'The body has been purged.';
  return `${encoding === 'base64' ? 'In base64:\n' : ''}${clean(body)}`;
}

/** Formats an announcement with its attempts and its body. */
export function describeAnnouncement(announcement: z.input<typeof shownAnnouncement>): string {
  const { body, encoding, lastAttempts, others, leftOut, ...row } = announcement;
  return [
    facts(Object.entries({ ...row, leftOut: leftOut.join(', ') })),
    ...(others.length > 0 ? [`Other destinations\n${describePage({ items: others, next: null })}`] : []),
    ...(lastAttempts.length > 0 ? [`Attempts\n${describeAttempts(lastAttempts)}`] : []),
    textOf({ body, encoding }),
  ].join('\n\n');
}

type View = Partial<Pick<LiveSubject, 'stage' | 'attention' | 'waiting'>> &
  Partial<Pick<Subject, 'takenBy'>> & { readonly status?: string };

/** Formats the state of a subject after an action, or the status of an action that takes longer. */
export const describeView = ({ stage, attention, waiting, takenBy, status }: View): string =>
  status ??
  describeTaking(takenBy) ??
  facts([
    ['stage', stage],
    ['attention', attention?.join(', ') || 'none'],
    ['waiting', describeWaiting(waiting)],
  ]);

function describeTaking(takenBy: View['takenBy']): string | undefined {
  if (takenBy === undefined) return undefined;
  return takenBy === null ? 'Nobody has taken it any more.' : `Taken by ${clean(takenBy)}.`;
}

const describeWaiting = (waiting: View['waiting']): string =>
  `${plural(waiting?.events ?? 0, 'event')}, ${plural(waiting?.announcements ?? 0, 'announcement')}`;

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
}: Subject): string {
  const happened = live ? live.timeline.map((line) => clean(plain(line.replace(/^- /, '')))) : [];
  const received = waitingWebhooks.map(
    (it) => `${it.receivedAt} webhook ${clean(it.event)} (${clean(it.eventId)}) waits to be recorded`,
  );
  // In the order in which things were done; an event may have happened long before.
  const timeline = [...happened, ...received];
  const waiting = {
    events: waitingWebhooks.length,
    announcements: announcements.filter(({ state }) => state === 'unsent').length,
  };
  const { tenant, kind, id, stage, stageSince: since, retrieving, announcing, customerId: customer } = subject;
  const { facilityId: facility, referenceNumber: reference, revision } = subject;
  return [
    facts([
      ...Object.entries({ tenant, kind, id, stage, since, attention: subject.attention.join(', ') }),
      ...[retrieving, announcing].flatMap((it) => (it ? [['failing', describeTrouble(it)] as const] : [])),
      ...subject.refused.map((refusal) => ['refused', refusal] as const),
      ...(subject.takenBy === null ? [] : [['taken', `by ${subject.takenBy} at ${subject.takenAt}`] as const]),
      ['waiting', describeWaiting(waiting)],
      ...Object.entries({ customer, facility, reference, revision }),
      ...(subject.dueAt === null ? [] : Object.entries({ due: subject.dueAt, because: subject.dueBecause })),
      ...Object.entries({ 'last event': subject.lastEventAt, updated: subject.updatedAt }),
      ...erasures.map((it) => ['erased', `${it.at} by ${it.by}: ${describeErased(it)}`] as const),
    ]),
    ...(notes.length > 0 ? [`Notes\n${notes.map(describeNote).join('\n')}`] : []),
    `Timeline\n${[...(live ? [] : [`Not shown: ${liveProblem}`]), ...timeline].join('\n') || 'Nothing.'}`,
    `Announcements\n${describePage({ items: announcements, next: null })}`,
  ].join('\n\n');
}

/** Formats a note. */
export const describeNote = ({ id, at, token, operator, text }: z.input<typeof noteRow>): string =>
  clean(`#${id} ${at} ${describeActor({ token, operator })}: ${text.replaceAll('\n', '\n  ')}`);

interface ErasedSubject extends Partial<Erasable> {
  readonly path: string;
  readonly isErased?: boolean;
  readonly problem?: string;
}

/** Formats what was, or can be, erased of subjects. */
export function describeErasures({ results }: { readonly results: readonly ErasedSubject[] }, isAsked = false): string {
  const rows = results.map(({ path, isErased, problem, ...it }) => ({
    subject: decodeURIComponent(path.replace('/subjects/', '')),
    deliveries: it.deliveries,
    resources: it.resources,
    announcements: it.announcements,
    notes: it.notes,
    waiting: it.waiting,
    unsent: it.unsent,
    result: problem ?? (isErased ? 'erased' : 'not erased'),
  }));
  const isPreview = results.some(({ isErased, problem }) => !isErased && !problem);
  return isPreview && !isAsked ? `${table(rows)}\n\nNothing was erased. Repeat it with --yes.` : table(rows);
}

const describeTrouble = ({ attempts, ...it }: NonNullable<Subject['retrieving']>): string => {
  const times = plural(attempts, 'attempt');
  return `${it.operation}: ${it.error} (${times} since ${it.since}, next at ${it.nextTryAt})`;
};

/** Formats the status, what is wrong first. A server of an earlier version names no incidents. */
export function describeStatus({
  incidents = [],
  inbox,
  failing,
  announcements,
  attention,
  due,
  subjects,
}: z.input<typeof status>): string {
  const marked = Object.entries(attention).map(([name, count]) => `${count} ${name}`);
  const wrong = incidents.map(({ title: incident, since, count: waiting }) => ({ incident, since, waiting }));
  const lists = {
    Incidents: wrong,
    Failing: failing,
    Subjects: subjects,
    'Quarantined events': inbox.quarantinedByReason,
  };
  return [
    facts([
      ['inbox', `${inbox.waiting} waiting, ${inbox.quarantined} quarantined`],
      ['oldest waiting', inbox.oldestReceivedAt],
      ['announcements', `${announcements.unsent} unsent, ${announcements.deadLettered} dead-lettered`],
      ['attention', marked.join(', ')],
      ['due', `${due.overdue} overdue, ${due.atRisk} at risk, ${due.soon} more within 24 hours`],
    ]),
    ...Object.entries(lists).flatMap(([title, items]) =>
      items.length > 0 || items === subjects ? [`${title}\n${describePage({ items, next: null })}`] : [],
    ),
  ].join('\n\n');
}

/** Formats the result of a backup. */
export const describeBackup = ({ file, bytes }: Backup): string =>
  `Backed up to ${clean(file)}, ${(bytes / 1e6).toFixed(1)} MB.`;
