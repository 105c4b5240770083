import type { Selectable } from 'kysely';
import { z } from 'zod';
import { may } from '../../../admin/access.ts';
import { subjectAddress } from '../../../admin/board/addresses.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { PAGE_LIMIT } from '../../../admin/queries.ts';
import { count, instant, type Shown, type Sources } from '../../../admin/views/view.ts';
import type { SubjectRef } from '../../../domain/catalogue/subject.ts';
import { readRow, rowsOf } from '../../../store/rows.ts';
import { type Database, subjectColumns } from '../../../store/schema.ts';

export const NOTE_LIMIT = 2000;

export const noteRow = z.object({
  id: count,
  at: instant,
  token: z.string().describe('Name of the token.'),
  operator: z.string().nullable().describe('Name that the holder of the token gave. Nobody verifies it.'),
  text: z.string(),
});

type Note = z.output<typeof noteRow>;

export const toNote = (note: Selectable<Database['notes']>): Note =>
  readRow(noteRow, { ...note, at: note.written_at }, {});

export async function notesOf({ reads }: Pick<Sources, 'reads'>, subject: SubjectRef): Promise<readonly Note[]> {
  const rows = await rowsOf(reads, 'notes', subjectColumns(subject))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(PAGE_LIMIT)
    .execute();
  return rows.map(toNote);
}

type Noted = SubjectRef & { readonly notes: readonly Note[] };

export const noteForm = ({ row, caller }: Shown<Noted>): Markup | false =>
  may(caller, 'act') &&
  html`<form class="filters noting" id="notes" method="post" action="${subjectAddress(row)}/notes">
<label><span class="aside">Note</span> <textarea name="text" rows="1" maxlength="${NOTE_LIMIT}" placeholder="Add a note for the others" required></textarea></label>
<button>Add note</button>
</form>`;

export const removeForm = ({ id }: Pick<Note, 'id'>, { row, caller }: Shown<Noted>): Markup | false =>
  may(caller, 'act') &&
  html`<button class="quiet" type="button" popovertarget="remove-${id}">Remove…</button><form class="filters" id="remove-${id}" popover method="post" action="${subjectAddress(row)}/notes/${id}/remove"><button>Remove it for everybody</button></form>`;
