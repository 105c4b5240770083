import type { FastifyInstance } from 'fastify';
import { messageOf } from '../domain/errors.ts';
import { Problem } from '../http/problem.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { Backup } from './ports.ts';

/** Dependencies of the backup route. */
export interface BackupRoutesDeps {
  /** Copies the store to a new file; undefined where the database has programs of its own for that. */
  readonly backUp: (() => Promise<Backup>) | undefined;
  readonly actions: Pick<Actions, 'backUp'>;
}

/** Adds `POST /backup`, which answers when the copy is complete. */
export function backupRoutes(app: FastifyInstance, { backUp, actions }: BackupRoutesDeps): void {
  app.post('/backup', needs.act, async (request): Promise<Answer<'BackedUp'>> => {
    if (!backUp) throw new Problem(409, 'The store is in PostgreSQL; back it up with pg_dump.');
    return await actions.backUp(backUp, actorOf(request)).catch((cause: unknown) => {
      throw new Problem(500, `The backup failed: ${messageOf(cause)}`, { cause });
    });
  });
}
