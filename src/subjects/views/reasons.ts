import { html, type Markup } from '../../admin/board/html.ts';
import { age, clockIn, duration, number, untrusted, when, whole } from '../../admin/board/text.ts';
import { plural, words } from '../../base/text.ts';
import { type Operation, resultsOf } from '../../domain/catalogue/operation.ts';
import type { Outlook } from '../../domain/deadlines/deadline.ts';
import { sayQueue } from '../../domain/deadlines/forecast.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { CUSTOMERS, describeRefusal } from '../../domain/lifecycle/gets.ts';
import type { LeadGroup } from '../../domain/lifecycle/lead-times.ts';
import type { SubjectRow } from './subject/row.ts';

interface Reason {
  readonly title: string;
  readonly short: string;
  readonly detail: Markup | null;
  /** Null if nobody noted it. */
  readonly since: Date | null;
}

function reasonsOf(subject: SubjectRow, now: number): readonly Reason[] {
  const { attention, refused, retrieving, announcing, stage, stageSince } = subject;
  const reasons = [
    attention.includes('unannounced') && {
      title: 'An announcement was given up',
      short: 'Given up',
      detail: html`It is a dead letter, and is kept until somebody resends it.`,
      since: null,
    },
    retrieving && {
      title: titleOfFailure(retrieving),
      short: `GET ${retrieving.status ?? 'fails'}`,
      ...explain(retrieving, now),
    },
    announcing && { title: 'Its announcements do not arrive', short: 'Not delivered', ...explain(announcing, now) },
    attention.includes('refused') && {
      title: titleOfRefusals(refused),
      short: 'Incomplete',
      detail: html`${refused.map((it) => html`<p>${whole(describeRefusal(it))}</p>`)}`,
      since: null,
    },
    attention.includes('stalled') && {
      title: `It has been ${words(stage)} for too long`,
      short: 'Stalled',
      detail: null,
      since: stageSince,
    },
  ];
  return reasons.filter((reason) => reason !== false && reason !== null);
}

function titleOfFailure({ status }: NonNullable<SubjectRow['retrieving']>): string {
  if (status === 403) return 'The warehouse refused to show it (403)';
  if (status === 404) return 'The warehouse does not know it (404)';
  return status === null
    ? 'The warehouse gives no answer that can be used'
    : `The warehouse cannot return it (${status})`;
}

const list = new Intl.ListFormat('en');

function titleOfRefusals(refused: SubjectRow['refused']): string {
  if (refused.some(({ operation }) => operation === CUSTOMERS)) return 'Messages and records name different customers';
  const missing = new Set(refused.map(({ operation }) => resultsOf(operation as Operation)?.part));
  if (missing.size === 0 || missing.has(undefined)) return 'Its record could not be read';
  return `Announced without its ${list.format(missing as Set<string>)}`;
}

const explain = (
  { operation, error, attempts, since, nextTryAt }: NonNullable<SubjectRow['retrieving']>,
  now: number,
) => ({
  since,
  detail: html`<p>${untrusted(operation)}: ${whole(error)}</p>
<p>${plural(attempts, 'attempt')}; ${nextTryAt.getTime() > now ? html`next try ${when(nextTryAt)}` : 'being tried now'}</p>`,
});

export function showReasons(subject: SubjectRow, now: number): readonly Markup[] | null {
  const reasons = reasonsOf(subject, now);
  if (reasons.length === 0) return null;
  return reasons.map(
    ({ title, detail, since }) =>
      html`<div><p><strong>${title}</strong>${since !== null && html` for ${age(since, now)}`}</p>${detail}</div>`,
  );
}

export const briefly = (subject: SubjectRow, now: number): Markup =>
  html`${reasonsOf(subject, now).map(
    ({ title, short, since }) =>
      html`<span class="badge warn" title="${title}">${short}${since !== null && html` · ${age(since, now)}`}</span> `,
  )}`;

/** With what was answered, as plain text. */
export const attentionText = (subject: SubjectRow): readonly string[] => {
  const { retrieving, announcing, refused } = subject;
  const answers = [retrieving?.error, announcing?.error, ...refused.map(describeRefusal)];
  return [...reasonsOf(subject, 0).map(({ title }) => title), ...answers.filter((it) => it !== undefined)];
};

type Due = Pick<SubjectRow, 'dueAt' | 'dueZone' | 'outlook' | 'forecast'>;

const chips = {
  overdue: ['bad', 'overdue by'],
  willMiss: ['bad', 'will miss, due in'],
  atRisk: ['soon', 'at risk, due in'],
  onTime: [null, 'due in'],
} as const satisfies Record<Outlook, readonly [string | null, string]>;

export function dueChip({ dueAt, outlook }: Due, now: number): Markup | false {
  if (dueAt === null || outlook === null) return false;
  const [kind, words] = chips[outlook];
  const text = html`${words} ${age(dueAt, now)}`;
  return kind === null ? text : html`<span class="badge ${kind}">${text}</span>`;
}

export const dueText = (row: Due, now: number): Markup =>
  html`${dueChip(row, now)}${row.outlook === 'willMiss' && row.forecast && html`<br><span class="muted">expected ${clockIn(row.forecast.expectedAt, row.dueZone, now)}: ${sayQueue(row.forecast)}</span>`}`;

/** `41 orders predicted to be late, 38 rightly (half of them more than 2 h 10 min ahead); 3 others late without a warning.` */
export function scorecard({ count, late, unheard, aheadMs }: LeadGroup['notified']): string {
  const ahead = late > 0 ? ` (half of them more than ${duration(aheadMs)} ahead)` : '';
  return count === 0
    ? `No order was predicted to be late; ${number(unheard)} late without a warning. Forecasts need two weeks of shipped orders.`
    : `${plural(count, mainKind)} predicted to be late, ${number(late)} rightly${ahead}; ${number(unheard)} others late without a warning.`;
}
