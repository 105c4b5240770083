import { z } from 'zod';
import { subjectAddress } from '../../admin/board/addresses.ts';
import { html } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { ROWS } from '../../admin/board/queries.ts';
import { livePage } from '../../admin/board/responder.ts';
import { untrusted } from '../../admin/board/text.ts';
import { explained, limitForm, text } from '../../admin/queries.ts';
import { listOf, type Sources, type View } from '../../admin/views/view.ts';
import { backwards, ENDING } from '../../domain/catalogue/record-facts.ts';
import { parseSubjectKey, type SubjectRef, subjectKey, subjectKinds } from '../../domain/catalogue/subject.ts';
import { findWaiting } from '../../inbox/tables/waiting.ts';
import { subjectColumns, subjectIn } from '../../store/schema.ts';
import { findByTerm, LAST } from '../tables/search-terms.ts';
import { findArrived, type SubjectRow, selectSubjects, subjectRow, toSubject } from './subject/row.ts';
import { subjectTable } from './subject/table.ts';

const query = z.strictObject({
  q: explained(text, 'Beginning of an id, number, name, SKU or event id; case does not matter.', 'PO-77120'),
  limit: limitForm,
});

/** Text of the board's field, which may be empty. */
const field = z.object({ q: z.string().trim().max(300).default('') });

/** Finds subjects by the beginning of an id, a number, a name or a SKU, by a customer's id, or by the beginning of an event's id. */
export async function search(
  { reads }: Pick<Sources, 'reads'>,
  asked: string,
  limit: number,
): Promise<readonly SubjectRow[]> {
  const q = plainly(asked);
  if (q === '') return [];
  const keys = new Map(
    [
      ...(await findByTerm(reads, q, limit)),
      ...(await findById(reads, q, limit)),
      ...(await findWaiting(reads, q, limit)),
      ...(await findByEnd(reads, q, limit)),
      ...(await findByCustomer(reads, q, limit)),
      ...(await findByEvent(reads, q, limit)),
      parseSubjectKey(q),
    ].flatMap((subject) => (subject ? [[subjectKey(subject), subject] as const] : [])),
  );
  const wanted = [...keys.values()].slice(0, limit);
  if (wanted.length === 0) return [];
  const rows = await selectSubjects(reads)
    .where(({ or, and }) => or(wanted.map((subject) => and(subjectColumns(subject)))))
    .execute();
  const found = new Map(rows.map((row) => [subjectKey(row), toSubject(row)]));
  for (const subject of wanted.filter((it) => !found.has(subjectKey(it)))) {
    const arrived = await findArrived({ reads }, subject);
    if (arrived) found.set(subjectKey(subject), arrived);
  }
  return [...keys.keys()].flatMap((key) => found.get(key) ?? []);
}

/** Words for a record that stand before its id, as on its page. */
const KIND = new RegExp(`^(?:${subjectKinds.join('|')})\\s+#?(?=\\S)|^#`, 'i');

/** Returns what is meant by what people paste: the key within an announcement's id, and an id without the name of its kind or a number sign. */
const plainly = (asked: string): string =>
  asked
    .trim()
    .replace(KIND, '')
    .replace(/^([a-z]+:[^:]+:.+)\/\d+\/[\w-]+$/i, '$1');

/** Finds by the beginning of an id also what has no terms: nothing of it was fetched yet, since its GETs fail. */
async function findById(reads: Sources['reads'], q: string, limit: number): Promise<readonly SubjectRef[]> {
  const rows = await reads
    .selectFrom('subjects')
    .select(['tenant', 'kind', 'subject_id'])
    .where('subject_id', '>=', q)
    .where('subject_id', '<', q + LAST)
    .orderBy('subject_id')
    .limit(limit)
    .execute();
  return rows.map(subjectIn);
}

/** Finds by the last digits of an id, as people read them out. */
const findByEnd = async (reads: Sources['reads'], q: string, limit: number): Promise<readonly SubjectRef[]> =>
  ENDING.test(q) ? await findByTerm(reads, backwards(q), limit) : [];

async function findByCustomer(reads: Sources['reads'], q: string, limit: number): Promise<readonly SubjectRef[]> {
  const rows = await reads
    .selectFrom('subjects')
    .select(['tenant', 'kind', 'subject_id'])
    .where('customer_id', '=', q)
    .limit(limit)
    .execute();
  return rows.map(subjectIn);
}

/** Ids of events are written in one case or the other, if they have letters. */
async function findByEvent(reads: Sources['reads'], q: string, limit: number) {
  const found: (SubjectRef | undefined)[] = [];
  for (const beginning of new Set([q, q.toLowerCase(), q.toUpperCase()])) {
    const rows = await reads
      .selectFrom('inbox')
      .select('subject_key')
      .where('event_id', '>=', beginning)
      .where('event_id', '<', beginning + LAST)
      .orderBy('event_id')
      .limit(limit)
      .execute();
    found.push(...rows.map((row) => parseSubjectKey(row.subject_key ?? '')));
  }
  return found;
}

/** Search for subjects. The board shows the only one that is found at once. */
export const searchView: View = {
  call: {
    method: 'GET',
    path: '/search',
    id: 'search',
    summary: 'Finds subjects by an id, a number, a customer, a SKU or an event',
    tag: 'Orders',
    description:
      'For a search field: matches the beginning of an id, a reference, PO or tracking number, a customer name, a SKU or an event id, ignoring case. An order is found as soon as its first webhook was accepted. No match is an empty list.',
    role: 'read',
    query,
    columns: ['kind', 'id', 'tenant', 'stage', 'stageSince', 'attention', 'takenBy', 'referenceNumber', 'customerId'],
    answers: { 200: 'FoundSubjects' },
    schemas: { FoundSubjects: z.object({ items: listOf(subjectRow) }) },
    async answer(sources, asked) {
      const { q, limit } = query.parse(asked.query);
      return { items: await search(sources, q, limit) };
    },
  },
  pages: [
    {
      path: '/search',
      role: 'read',
      open: (sources) => async (asked) => {
        const { q } = field.parse(asked.query);
        const rows = q === '' ? [] : await search(sources, q, ROWS);
        const [only] = rows;
        return only && rows.length === 1 ? { address: subjectAddress(only) } : livePage(searchPage, { q, rows });
      },
    },
  ],
};

const searchPage = ({
  q,
  rows,
  now,
}: {
  readonly q: string;
  readonly rows: readonly SubjectRow[];
  readonly now: number;
}): Page => ({
  title: 'Search',
  content: html`<h1>Results for “${untrusted(q, 60)}”</h1>
${
  rows.length === 0
    ? html`<p class="empty">Nothing found. The search covers ids by their beginning or last digits, reference, PO and tracking numbers, external ids, customers by any word of their name and by id, SKUs, and ids of events and announcements. It is case-insensitive.</p>`
    : subjectTable(rows, { now, title: 'Search results', areMixed: true })
}`,
});
