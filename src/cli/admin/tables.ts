import type {
  ShownPage,
  showAnnouncement,
  showBody,
  showQuarantinedEvent,
  showQuarantineReason,
  showSubject,
} from '../../admin/presentation.ts';
import { layOut } from '../table.ts';

type Shown<F extends (row: never) => unknown> = ReturnType<F>;
type Subject = Shown<typeof showSubject>;
type Announcement = Shown<typeof showAnnouncement>;
type Reason = Shown<typeof showQuarantineReason>;
type Cell = string | number | null | undefined;

/** What a terminal would take as a command is not shown as it is: some of it was written by others. */
const clean = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}');

const cellOf = (cell: Cell): string => clean(String(cell ?? '')).replace(/\s+/g, ' ');

function table(heading: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return rows.length === 0 ? 'Nothing.' : layOut([heading, ...rows.map((row) => row.map(cellOf))]);
}

function page<T>(
  { items, next }: ShownPage<T>,
  heading: readonly string[],
  rowOf: (item: T) => readonly Cell[],
): string {
  const shown = table(heading, items.map(rowOf));
  return next === null ? shown : `${shown}\n\nMore: --after '${next}'`;
}

const facts = (pairs: readonly (readonly [name: string, value: Cell])[]): string => {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}`).join('\n');
};

/** The list of subjects. */
export const listSubjects = (answer: ShownPage<Subject>): string =>
  page(
    answer,
    ['kind', 'id', 'tenant', 'stage', 'since', 'attention', 'customer', 'reference', 'last event', 'revision'],
    ({ kind, id, tenant, stage, stageSince, attention, customerId, referenceNumber, lastEventAt, revision }) => [
      ...[
        kind,
        id,
        tenant,
        stage,
        stageSince,
        attention.join(', '),
        customerId,
        referenceNumber,
        lastEventAt,
        revision,
      ],
    ],
  );

/** The list of quarantined events. */
export const listQuarantinedEvents = (answer: ShownPage<Shown<typeof showQuarantinedEvent>>): string =>
  page(answer, ['id', 'received', 'tenant', 'endpoint', 'bytes', 'reason'], (event) => [
    ...[event.id, event.receivedAt, event.tenant, event.endpoint, event.bytes, event.reason],
  ]);

/** The reasons why events are quarantined. */
export const listReasons = (answer: ShownPage<Reason>): string =>
  page(answer, ['count', 'first id', 'first received', 'last received', 'reason'], (reason) => [
    ...[reason.count, reason.firstId, reason.firstReceivedAt, reason.lastReceivedAt, reason.reason],
  ]);

/** The list of announcements. */
export const listAnnouncements = (answer: ShownPage<Announcement>): string =>
  page(answer, ['id', 'state', 'made', 'attempts', 'sent', 'dead-lettered', 'last error'], (it) => [
    ...[it.id, it.state, it.createdAt, it.attempts, it.sentAt, it.deadLetteredAt, it.deadLetterReason ?? it.lastError],
  ]);

/** One event or announcement with its body. */
export function describeBody({ body, encoding, ...rest }: Record<string, Cell> & Shown<typeof showBody>): string {
  const text = body === null ? 'Its body is not kept any more.' : clean(body);
  return `${facts(Object.entries(rest))}\n\n${encoding === 'base64' ? 'In base64:\n' : ''}${text}`;
}

interface View {
  readonly stage?: string;
  readonly attention?: readonly string[];
  readonly waiting?: { readonly events: number; readonly announcements: number };
  /** Instead of the others, where it takes longer. */
  readonly status?: string;
}

/** Where a subject stands after something was done. */
export const describeView = ({ stage, attention, waiting, status }: View): string =>
  status ??
  facts([
    ['stage', stage],
    ['attention', attention?.join(', ') || 'none'],
    ['waiting', describeWaiting(waiting)],
  ]);

const describeWaiting = (waiting: View['waiting']): string =>
  `${waiting?.events ?? 0} events, ${waiting?.announcements ?? 0} announcements`;

interface SubjectDetails extends Subject {
  readonly live: (View & { readonly timeline: readonly string[] }) | null;
  readonly liveProblem?: string;
  readonly announcements: readonly Announcement[];
}

/** One subject with its timeline and its announcements. */
export function describeSubject({ live, liveProblem, announcements, ...subject }: SubjectDetails): string {
  const timeline = live ? live.timeline.map((line) => clean(line.replace(/^- /, '').replace(/[`*]/g, ''))) : [];
  const { tenant, kind, id, stage, stageSince: since, retrieving, announcing, customerId: customer } = subject;
  const { facilityId: facility, referenceNumber: reference, revision } = subject;
  return [
    facts([
      ...Object.entries({ tenant, kind, id, stage, since, attention: subject.attention.join(', ') }),
      ...[retrieving, announcing].flatMap((it) => (it ? [['failing', describeTrouble(it)] as const] : [])),
      ...subject.refused.map((refusal) => ['refused', refusal] as const),
      ['waiting', live && describeWaiting(live.waiting)],
      ...Object.entries({ customer, facility, reference, revision }),
      ...Object.entries({ 'last event': subject.lastEventAt, updated: subject.updatedAt }),
    ]),
    `Timeline\n${live ? timeline.join('\n') || 'Nothing.' : `Not shown: ${liveProblem}`}`,
    `Announcements\n${listAnnouncements({ items: announcements, next: null })}`,
  ].join('\n\n');
}

/** What fails and how, how often and since when, and when it is tried again. */
const describeTrouble = ({ attempts, ...it }: NonNullable<Subject['retrieving']>): string => {
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return `${it.operation}: ${it.error} (${times} since ${it.since}, next at ${it.nextTryAt})`;
};

interface Failing {
  readonly tenant: string;
  readonly operation: string;
  readonly subjects: number;
  readonly since: string;
  readonly nextTryAt: string;
  readonly error: string;
}

interface Status {
  readonly inbox: {
    readonly waiting: number;
    readonly oldestReceivedAt: string | null;
    readonly quarantined: number;
    readonly quarantinedByReason: readonly Reason[];
  };
  readonly failing: readonly Failing[];
  readonly announcements: { readonly unsent: number; readonly deadLettered: number };
  readonly attention: Readonly<Record<string, number>>;
  readonly subjects: readonly { readonly kind: string; readonly stage: string; readonly count: number }[];
}

const listFailing = (failing: readonly Failing[]): string =>
  table(
    ['operation', 'tenant', 'subjects', 'since', 'next try', 'last error'],
    failing.map((it) => [it.operation, it.tenant, it.subjects, it.since, it.nextTryAt, it.error]),
  );

const listStages = (subjects: Status['subjects']): string =>
  table(
    ['kind', 'stage', 'count'],
    subjects.map(({ kind, stage, count }) => [kind, stage, count]),
  );

/** What waits, what fails, what is quarantined, and how many subjects are in which stage. */
export function describeStatus({ inbox, failing, announcements, attention, subjects }: Status): string {
  const { waiting, oldestReceivedAt, quarantined, quarantinedByReason } = inbox;
  const marked = Object.entries(attention).map(([name, count]) => `${count} ${name}`);
  return [
    facts([
      ['inbox', `${waiting} waiting, ${quarantined} quarantined`],
      ['oldest waiting', oldestReceivedAt],
      ['announcements', `${announcements.unsent} unsent, ${announcements.deadLettered} dead-lettered`],
      ['attention', marked.join(', ')],
    ]),
    ...(failing.length > 0 ? [`Failing\n${listFailing(failing)}`] : []),
    `Subjects\n${listStages(subjects)}`,
    ...(quarantinedByReason.length > 0
      ? [`Quarantined events\n${listReasons({ items: quarantinedByReason, next: null })}`]
      : []),
  ].join('\n\n');
}
