import { sql } from 'kysely';
import { z } from 'zod';
import { parseSubjectKey, subjectKey } from '../../domain/catalogue/subject.ts';
import { subjectColumns } from '../../store/schema.ts';
import { subjectAddress } from '../board/addresses.ts';
import { html } from '../board/html.ts';
import type { Page } from '../board/layout.ts';
import { ROWS } from '../board/pages/queries.ts';
import { livePage } from '../board/responder.ts';
import { foreign } from '../board/text.ts';
import { limitForm, text } from '../queries.ts';
import { type SubjectRow, selectSubjects, subjectRow, toSubject } from './subject/row.ts';
import { subjectTable } from './subjects.ts';
import { listOf, type Sources, type View } from './view.ts';

const query = z.strictObject({ q: text, limit: limitForm });

/** Text of the board's field, which may be empty. */
const field = z.object({ q: z.string().trim().max(300).default('') });

/** Finds subjects by their whole id, reference number, customer or an event's id. */
export async function search(
  { reads }: Pick<Sources, 'reads'>,
  q: string,
  limit: number,
): Promise<readonly SubjectRow[]> {
  const select = () => selectSubjects(reads).limit(limit);
  const found = [];
  // One statement for each, so that each uses its own index.
  for (const column of ['subject_id', 'reference_number', 'customer_id'] as const) {
    found.push(
      ...(await select()
        .where(sql<boolean>`${sql.ref(column)} = ${q}`)
        .execute()),
    );
  }
  const event = await reads.selectFrom('inbox').select('subject_key').where('event_id', '=', q).executeTakeFirst();
  const subject = parseSubjectKey(event?.subject_key ?? q);
  if (subject) {
    const named = select().where(({ and }) => and(subjectColumns(subject)));
    found.push(...(await named.execute()));
  }
  const distinct = new Map(found.map((row) => [subjectKey(row), row]));
  return [...distinct.values()].slice(0, limit).map(toSubject);
}

/** Search for subjects. The board shows the only one that is found at once. */
export const searchView: View = {
  call: {
    method: 'GET',
    path: '/search',
    id: 'search',
    summary: 'Finds subjects by an id, a reference number, a customer or an event',
    role: 'read',
    query,
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
  content: html`<h1>Found for “${foreign(q, 60)}”</h1>
${
  rows.length === 0
    ? html`<p class="empty">Nothing has this reference number, id, customer or event id. All of it has to match, capitals included.</p>`
    : subjectTable(rows, { now, title: 'Search results', areMixed: true })
}`,
});
