import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { SubjectRef } from '../../../domain/catalogue/subject.ts';
import { type Database, subjectColumns } from '../../../store/schema.ts';
import { may } from '../../access.ts';
import { actorName } from '../../board/actor-name.ts';
import { subjectAddress } from '../../board/addresses.ts';
import { html, type Markup } from '../../board/html.ts';
import { foreign, when } from '../../board/text.ts';
import { PAGE_LIMIT } from '../../queries.ts';
import { count, instant, type Shown, type Sources } from '../view.ts';

/** Characters of a note. */
export const NOTE_LIMIT = 2000;

/** Note that somebody left on a subject. */
export const noteRow = z.object({
  id: count,
  at: instant,
  token: z.string().describe('Name of the token.'),
  operator: z.string().nullable().describe('Name that the holder of the token gave. Nobody verifies it.'),
  text: z.string(),
});

type Note = z.output<typeof noteRow>;

/** Reads a stored note. */
export const toNote = ({ id, written_at, token, operator, text }: Selectable<Database['notes']>): Note => ({
  id,
  at: new Date(written_at),
  token,
  operator,
  text,
});

/** Returns the notes on a subject, the newest first. */
export async function notesOf({ reads }: Pick<Sources, 'reads'>, subject: SubjectRef): Promise<readonly Note[]> {
  const rows = await reads
    .selectFrom('notes')
    .selectAll()
    .where(({ and }) => and(subjectColumns(subject)))
    .orderBy('id', 'desc')
    .limit(PAGE_LIMIT)
    .execute();
  return rows.map(toNote);
}

/** Shows the notes on a subject, with a form for another one; nothing to whoever is limited and finds none. */
export function notesSection({ row, caller }: Shown<SubjectRef & { readonly notes: readonly Note[] }>): Markup | false {
  const mayAct = may(caller, 'act');
  const address = `${subjectAddress(row)}/notes`;
  if (row.notes.length === 0 && !mayAct) return false;
  return html`<section><h2 id="notes">Notes</h2>
${
  mayAct &&
  html`<form class="filters" method="post" action="${address}">
<label>Note <textarea name="text" rows="2" maxlength="${NOTE_LIMIT}" required></textarea></label>
<button>Add note</button>
</form>`
}
<ol class="notes">${row.notes.map(
    ({ id, at, text, ...actor }) => html`<li id="note-${id}">
<p class="muted">${when(at)} · ${actorName(actor)}</p>
<p class="text">${foreign(text, NOTE_LIMIT)}</p>
${mayAct && html`<form method="post" action="${address}/${id}/remove"><button title="Removes the note for everybody">Remove</button></form>`}
</li>`,
  )}</ol></section>`;
}
