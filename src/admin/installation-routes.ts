import type { FastifyInstance } from 'fastify';
import { messageOf } from '../domain/errors.ts';
import type { JsonSchema } from '../http/json-schema.ts';
import { found, Problem } from '../http/problem.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { OpenApi } from './openapi/open-api.ts';
import type { Backup } from './ports.ts';
import { schemaParams } from './queries.ts';

/** Description of the API, and of the announcements, which another feature describes. */
export interface ApiDescription {
  /** Creates the OpenAPI document. */
  readonly createOpenApi: () => OpenApi;
  /** Describes the `data` of a type of announcements; undefined for an unknown type. */
  readonly describeData: (type: string) => JsonSchema | undefined;
}

/** Dependencies of the routes of the installation. */
export interface InstallationRoutesDeps extends ApiDescription {
  /** Copies the store to a new file; undefined where the database has programs of its own for that. */
  readonly backUp: (() => Promise<Backup>) | undefined;
  readonly actions: Pick<Actions, 'backUp'>;
}

/** Adds `POST /backup`, `GET /openapi.json` and `GET /schemas/{type}`. */
export function installationRoutes(app: FastifyInstance, deps: InstallationRoutesDeps): void {
  const { backUp, actions, createOpenApi, describeData } = deps;

  app.post('/backup', needs.act, async (request): Promise<Answer<'BackedUp'>> => {
    if (!backUp) throw new Problem(409, 'The store is in PostgreSQL; back it up with pg_dump.');
    return await actions.backUp(backUp, actorOf(request)).catch((cause: unknown) => {
      throw new Problem(500, `The backup failed: ${messageOf(cause)}`, { cause });
    });
  });

  app.get('/openapi.json', needs.read, async () => createOpenApi());

  app.get('/schemas/:type', needs.read, async ({ params }) => {
    return found(describeData(schemaParams.parse(params).type), 'There is no such type of announcements.');
  });
}
