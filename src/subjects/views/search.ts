import { z } from 'zod';
import { subjectAddress } from '../../admin/board/addresses.ts';
import { html } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { livePage } from '../../admin/board/responder.ts';
import { untrusted } from '../../admin/board/text.ts';
import { explained, limitForm, text } from '../../admin/queries.ts';
import { commandColumns, listTable } from '../../admin/views/columns.ts';
import { listOf, type Sources, type View } from '../../admin/views/view.ts';
import { backwards, ENDING } from '../../domain/catalogue/record-facts.ts';
import { parseSubjectKey, type SubjectRef, subjectKey, subjectKinds } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { openStagesOf } from '../../domain/lifecycle/stage.ts';
import { findWaiting } from '../../inbox/tables/waiting.ts';
import { subjectIn } from '../../store/schema.ts';
import { LAST } from '../../store/subjects.ts';
import { findByTerm } from '../tables/subject-search.ts';
import { isOneOf } from './filters.ts';
import { findArrived, type SubjectRow, selectSubjects, subjectRow, toSubject } from './subject/row.ts';
import { subjectColumns } from './subject/table.ts';

const query = z.strictObject({
  q: explained(text, 'Beginning of an id, number, name, city, SKU or event id; case does not matter.', 'PO-77120'),
  limit: limitForm,
});

const SHOWN = 200;

const field = z.object({ q: z.string().trim().max(300).default('') });

async function search({ reads }: Pick<Sources, 'reads'>, asked: string, limit: number): Promise<readonly SubjectRow[]> {
  const q = plainly(asked);
  if (q === '') return [];
  const keys = new Map(
    [
      ...(await findByTerm(reads, q, LOOKED_AT)),
      ...(await findById(reads, q, LOOKED_AT)),
      ...(await findWaiting(reads, q, limit)),
      ...(ENDING.test(q) ? await findByTerm(reads, backwards(q), LOOKED_AT) : []),
      ...(await findByEvent(reads, q, limit)),
      parseSubjectKey(q),
    ].flatMap((subject) => (subject ? [[subjectKey(subject), subject] as const] : [])),
  );
  const wanted = [...keys.values()].slice(0, LOOKED_AT);
  if (wanted.length === 0) return [];
  const rows = await selectSubjects(reads).where(isOneOf(wanted)).execute();
  const found = new Map(rows.map((row) => [subjectKey(row), toSubject(row)]));
  for (const subject of wanted.filter((it) => !found.has(subjectKey(it))).slice(0, limit)) {
    const arrived = await findArrived({ reads }, subject);
    if (arrived) found.set(subjectKey(subject), arrived);
  }
  const isMeant = ({ id, referenceNumber }: SubjectRow) => [id, referenceNumber].includes(q);
  const order = (row: SubjectRow) => [!isMeant(row), !isStillOpen(row), row.kind !== mainKind].map(Number);
  return [...found.values()]
    .sort((a, b) => compare([...order(a), -a.stageSince], [...order(b), -b.stageSince]))
    .slice(0, limit);
}

/** First what is named, then what is open, orders before the rest, newest first. */
const LOOKED_AT = 500;

const isStillOpen = ({ kind, stage }: SubjectRow): boolean => openStagesOf(kind).some((it) => it === stage);

const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, index) => value - (b[index] ?? 0)).find((it) => it !== 0) ?? 0;

const KIND = new RegExp(`^(?:${subjectKinds.join('|')})\\s+#?(?=\\S)|^#`, 'i');

/** Also an announcement's id, or `Order #31004581`. */
const plainly = (asked: string): string =>
  asked
    .trim()
    .replace(/^["'“](.+)["'”]$/, '$1')
    .replace(KIND, '')
    .replace(/^([a-z]+:[^:]+:.+)\/\d+\/[\w-]+$/i, '$1');

/** By their own ids, also those without terms, since nothing of them was fetched yet, or by that of their customer. */
async function findById(reads: Sources['reads'], q: string, limit: number): Promise<readonly SubjectRef[]> {
  const rows = await reads
    .selectFrom('subjects')
    .select(['tenant', 'kind', 'subject_id'])
    .where(({ and, eb, or }) =>
      or([eb('customer_id', '=', q), and([eb('subject_id', '>=', q), eb('subject_id', '<', q + LAST)])]),
    )
    .limit(limit)
    .execute();
  return rows.map(subjectIn);
}

async function findByEvent(reads: Sources['reads'], q: string, limit: number) {
  const rows = await reads
    .selectFrom('inbox')
    .select('subject_key')
    .where('event_id', '>=', q)
    .where('event_id', '<', q + LAST)
    .orderBy('event_id')
    .limit(limit)
    .execute();
  return rows.map((row) => parseSubjectKey(row.subject_key ?? ''));
}

export const searchView: View = {
  call: {
    method: 'GET',
    path: '/search',
    id: 'search',
    summary: 'Finds subjects by an id, a number, a customer, a SKU or an event',
    tag: 'Orders',
    description:
      'For a search field: matches the beginning of an id, a reference, PO or tracking number, a customer name, a city, a SKU or an event id, ignoring case. An order is found as soon as its first webhook was accepted. No match is an empty list.',
    role: 'read',
    query,
    columns: commandColumns(subjectRow, subjectColumns),
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
        const rows = q === '' ? [] : await search(sources, q, SHOWN + 1);
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
    ? html`<p class="empty">Nothing found. The search covers ids by their beginning or last digits, reference, PO and tracking numbers, external ids, customers and cities by any word of their name, customers by id, SKUs, and ids of events and announcements. It is case-insensitive.</p>`
    : listTable(
        subjectColumns,
        { now, filters: {} },
        { label: 'Search results', rows: rows.slice(0, SHOWN), idOf: subjectKey },
      )
}
${rows.length > SHOWN && html`<p class="more">The first ${SHOWN}, open ones first.</p>`}`,
});
