import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { done } from '../admin/audit.ts';
import { subjectAddress } from '../admin/board/addresses.ts';
import { rowId, textOf } from '../admin/queries.ts';
import type { Actor } from '../domain/audit.ts';
import type { SubjectRef } from '../domain/catalogue/subject.ts';
import { found } from '../http/problem.ts';
import type { Connections } from '../store/engines/connections.ts';
import { deleteRows } from '../store/rows.ts';
import { type StoreDeps, subjectColumns } from '../store/schema.ts';
import { findRef, ofSubject, onSubject, subjectParams } from './subject-target.ts';
import { NOTE_LIMIT, noteRow, toNote } from './views/subject/read.ts';

type Notes = ReturnType<typeof createNotes>;

export function createNotes({ db, durably, now }: StoreDeps & Pick<Connections, 'durably'>) {
  return {
    add: (subject: SubjectRef, text: string, { token, operator }: Actor) =>
      durably((transaction) =>
        transaction
          .insertInto('notes')
          .values({ ...subjectColumns(subject), written_at: now(), token, operator, text })
          .returningAll()
          .executeTakeFirstOrThrow(),
      ),

    async remove(subject: SubjectRef, id: number): Promise<boolean> {
      const notes = deleteRows(db, 'notes', { ...subjectColumns(subject), id });
      return (await notes.executeTakeFirst()).numDeletedRows > 0;
    },
  };
}

/** A form sends a line end as two characters; the limit counts one. */
const text = textOf(
  NOTE_LIMIT,
  z
    .string()
    .overwrite((given) => given.replaceAll('\r\n', '\n'))
    .trim(),
);

export interface NoteParts {
  readonly notes: Notes;
}

const defineAction = actionsWith<NoteParts>();

const addNote = defineAction({
  ...ofSubject('notes'),
  id: 'addNote',
  summary: 'Adds a note to a subject',
  description:
    'For everyone who looks at the subject later. Notes are erased with the subject. 404 if nothing is known of the subject; a text longer than 2,000 characters is answered 400.',
  body: z.strictObject({ text: text.describe('Text of the note; ends of lines are kept.') }),
  answers: { 201: { Note: noteRow } },
  problems: [404],
  run: async ({ notes }, subject, { body, actor }) => toNote(await notes.add(subject, body.text, actor)),
  audit: { action: 'note', target: onSubject, end: ({ id }) => done(`note ${id}`) },
  asksWho: true,
  back: subjectAddress,
  notices: { noted: 'Note added.' },
});

const removeNote = defineAction({
  path: '/subjects/{tenant}/{kind}/{id}/notes/{note}/remove',
  id: 'removeNote',
  summary: 'Removes a note from a subject',
  tag: 'Orders',
  description:
    'Removes it for good; the audit log keeps that it was removed, and not its text. 404 if the subject has no such note.',
  params: subjectParams.extend({ note: rowId.describe('Id of the note, as the subject has it.') }),
  answers: { 200: { RemovedNote: noteRow.pick({ id: true }) } },
  problems: [404],
  find: async (deps, { note, ...subject }) => ({ subject: await findRef(deps, subject), note }),
  async run({ notes }, { subject, note }) {
    found((await notes.remove(subject, note)) || undefined, 'The subject has no such note.');
    return { id: note };
  },
  audit: {
    action: 'remove-note',
    target: ({ subject }) => onSubject(subject),
    end: ({ id }) => done(`note ${id}`),
  },
  back: ({ subject }) => subjectAddress(subject),
  notices: { 'note-removed': 'Note removed.' },
});

export const noteActions = [addNote, removeNote];
