import type { Actor } from '../../domain/audit.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { deleteRows } from '../../store/rows.ts';
import { type StoreDeps, subjectColumns } from '../../store/schema.ts';

export type Notes = ReturnType<typeof createNotes>;

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
