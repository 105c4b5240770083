import { html, type Markup } from '../../admin/board/html.ts';
import { age, untrusted, when, whole, words } from '../../admin/board/text.ts';
import { plural } from '../../base/text.ts';
import type { Operation } from '../../domain/catalogue/operation.ts';
import { resultsOf } from '../../domain/catalogue/operation-results.ts';
import { CUSTOMERS } from '../../domain/lifecycle/refusal.ts';
import type { SubjectRow } from './subject/row.ts';

/** Reason why a subject needs a person, in words that need no explanation. */
interface Reason {
  readonly title: string;
  readonly detail: Markup | null;
  /** Null if nobody noted it. */
  readonly since: Date | null;
}

/** Explains the marks of a subject, the most urgent first. */
function reasonsOf(subject: SubjectRow, now: number): readonly Reason[] {
  const { attention, refused, retrieving, announcing, stage, stageSince } = subject;
  const reasons = [
    attention.includes('unannounced') && {
      title: 'An announcement was given up',
      detail: html`It is a dead letter, and is kept until somebody resends it.`,
      since: null,
    },
    retrieving && { title: titleOfFailure(retrieving), ...explain(retrieving, now) },
    announcing && { title: 'Its announcements do not arrive', ...explain(announcing, now) },
    attention.includes('refused') && {
      title: titleOfRefusals(refused),
      detail: html`${refused.map((it) => html`<p>${whole(it)}</p>`)}`,
      since: null,
    },
    attention.includes('stalled') && {
      title: `It has been ${words(stage)} for too long`,
      detail: null,
      since: stageSince,
    },
  ];
  return reasons.filter((reason) => reason !== false && reason !== null);
}

/** Says in the words of the failure what the warehouse did. */
function titleOfFailure({ status }: NonNullable<SubjectRow['retrieving']>): string {
  if (status === 403) return 'The warehouse refused to show it (403)';
  if (status === 404) return 'The warehouse does not know it (404)';
  return status === null
    ? 'The warehouse gives no answer that can be used'
    : `The warehouse cannot return it (${status})`;
}

const list = new Intl.ListFormat('en');

/** Names the missing parts of announcements, or the record, without which they lack their subject. */
function titleOfRefusals(refused: readonly string[]): string {
  if (refused.some((text) => text.startsWith(`${CUSTOMERS}:`))) return 'Messages and records name different customers';
  const missing = new Set(refused.map((text) => resultsOf(text.replace(/:.*/s, '') as Operation)?.part));
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

/** Shows the reasons of a subject with their explanations; null if it has none. */
export function showReasons(subject: SubjectRow, now: number): readonly Markup[] | null {
  const reasons = reasonsOf(subject, now);
  if (reasons.length === 0) return null;
  return reasons.map(
    ({ title, detail, since }) =>
      html`<div class="reason"><p><strong>${title}</strong>${since !== null && html` for ${age(since, now)}`}</p>${detail}</div>`,
  );
}

/** Shows the reasons of a subject in a cell of a table. */
export const briefly = (subject: SubjectRow, now: number): Markup =>
  html`${reasonsOf(subject, now).map(
    ({ title, since }) =>
      html`<span class="badge warn" title="${title}">${title}${since !== null && html` · ${age(since, now)}`}</span> `,
  )}`;
