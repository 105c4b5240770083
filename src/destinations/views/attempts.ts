import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Caller, may } from '../../admin/access.ts';
import { announcementAddress, nameOf as titleOf } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { stageName } from '../../admin/board/stage.ts';
import { table } from '../../admin/board/table.ts';
import { shorten, took, untrusted, when } from '../../admin/board/text.ts';
import { readBody } from '../../admin/views/body.ts';
import { count, instant } from '../../admin/views/view.ts';
import { parseSubjectKey } from '../../domain/catalogue/subject.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import { attemptOutcomes } from '../../domain/outgoing.ts';
import { nameOf } from '../../store/outbox-conditions.ts';
import { columnsFor, type Meant, readRow, rowsOf, type Stored } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';

export const attemptRow = z.object({
  announcement: z.string(),
  destination: z.string(),
  number: count.describe('Counts the attempts of an announcement and a destination, from 1; the last 20 are kept.'),
  at: instant.describe('Time of its end.'),
  ms: count,
  outcome: z
    .enum(attemptOutcomes)
    .describe('`refused` if the destination rejected this one announcement, `failed` for everything else.'),
  status: z.int().nullable().describe('HTTP status; null if there was no answer, and for a broker.'),
  error: z.string().nullable(),
  requestHeaders: z
    .record(z.string(), z.string())
    .nullable()
    .describe('Headers that were sent, in which secrets are masked; null for a broker, and if nothing was sent.'),
  answer: z
    .string()
    .nullable()
    .describe(
      'First kilobyte of what the destination answered; null if that was nothing, and without the role `bodies`.',
    ),
  encoding: z.enum(['utf-8', 'base64']).describe('Of the answer: base64 unless it is UTF-8.'),
});

export type AttemptRow = z.output<typeof attemptRow>;

export const selectAttempts = (reads: Kysely<Database>, meant: Meant<'attempts'>) =>
  rowsOf(reads, 'attempts', meant)
    .select(nameOf('attempts').as('destination'))
    .select(columnsFor('attempts', attemptRow.omit({ destination: true })));

/** The answer may name people, as bodies do. */
export function toAttempt(row: Stored<typeof selectAttempts>, caller: Caller): AttemptRow {
  const { body, encoding } = readBody((may(caller, 'bodies') && row.answer) || new Uint8Array());
  const requestHeaders = row.requestHeaders === null ? null : JSON.parse(row.requestHeaders);
  return readRow(attemptRow, row, { requestHeaders, answer: body, encoding });
}

export const attemptsTable = (attempts: readonly AttemptRow[], heading: string, caller: Caller): Markup =>
  table({
    heading,
    rows: attempts,
    columns: {
      Announcement: (it) => html`${announcementLink(it)} <span class="muted">#${it.number}</span>`,
      Ended: { as: 'nowrap', cell: ({ at }) => when(at) },
      Result: {
        as: 'nowrap',
        cell: ({ outcome, status }) =>
          html`<span class="badge ${outcome === 'delivered' ? 'good' : 'warn'}">${outcome}</span> ${status}`,
      },
      Duration: { as: 'number', cell: ({ ms }) => took(ms) },
      Answer: (it) => html`${it.error !== null && html`<p>${untrusted(it.error, 300)}</p>`}${answerOf(it, caller)}`,
    },
  });

function announcementLink({ announcement }: AttemptRow): Markup {
  const [key = '', , milestone] = announcement.split('/');
  const subject = parseSubjectKey(key);
  const name = subject ? `${stageName(milestone as Milestone, subject.kind)} · ${titleOf(subject)}` : announcement;
  return html`<a href="${announcementAddress(announcement)}">${untrusted(name)}</a>`;
}

const BEGINNING = 60;

export function answerOf(attempt: Pick<AttemptRow, 'answer' | 'encoding' | 'status'>, caller: Caller): Markup {
  if (attempt.answer === null)
    return html`<span class="muted">${attempt.status !== null && !may(caller, 'bodies') ? 'Your token does not show answers.' : 'no text'}</span>`;
  const text = textOf(attempt.answer, attempt.encoding);
  return html`<details><summary>${untrusted(shorten(text.replaceAll(/\s+/g, ' ').trim(), BEGINNING))}</summary><pre><code dir="ltr">${text}</code></pre></details>`;
}

/** No page can show them; tabs and line breaks are fine. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it finds
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

export const textOf = (answer: string, encoding: AttemptRow['encoding']): string =>
  Buffer.from(answer, encoding).toString().replaceAll(CONTROL, '\uFFFD');

export const headersOf = ({ requestHeaders }: AttemptRow): Markup | false =>
  requestHeaders !== null &&
  html`<details open><summary>Request headers</summary><pre><code dir="ltr">${Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}\n`)}</code></pre></details>`;
