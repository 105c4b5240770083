import { z } from 'zod';
import { messageOf } from '../domain/errors.ts';
import { Problem } from '../http/problem.ts';
import { actionsWith } from './action.ts';
import { count } from './views/view.ts';

const backedUp = z.object({ file: z.string().describe('Path on the machine of Dockline.'), bytes: count });

export type Backup = Readonly<z.output<typeof backedUp>>;

export interface BackupParts {
  readonly backUp: (() => Promise<Backup>) | undefined;
}

const defineAction = actionsWith<BackupParts>();

export const backUp = defineAction({
  path: '/backup',
  id: 'backUp',
  summary: 'Copies the SQLite store to a file in the data folder',
  tag: 'Operations',
  description:
    'Makes a consistent copy while Dockline runs, in the folder `backups` of the data folder. 409 if the store is in PostgreSQL, which has `pg_dump`; 500 if the disk refuses the copy.',
  answers: { 200: { BackedUp: backedUp } },
  problems: [409],
  async find({ backUp: copy }) {
    if (copy) return copy;
    throw new Problem(409, 'The store is in PostgreSQL; back it up with pg_dump.');
  },
  run: (_deps, copy) =>
    copy().catch((cause: unknown) => {
      throw new Problem(500, `The backup failed: ${messageOf(cause)}`, { cause });
    }),
  audit: { action: 'backup', target: () => ({ type: 'store', id: 'database' }) },
});
