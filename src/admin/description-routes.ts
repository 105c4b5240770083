import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '../http/json-schema.ts';
import { found } from '../http/problem.ts';
import { needs } from './access.ts';
import type { OpenApi } from './openapi/open-api.ts';
import { schemaParams } from './queries.ts';

/** Description of the API, and of the announcements, which another feature describes. */
export interface ApiDescription {
  /** Creates the OpenAPI document. */
  readonly createOpenApi: () => OpenApi;
  /** Describes the `data` of a type of announcements; undefined for an unknown type. */
  readonly describeData: (type: string) => JsonSchema | undefined;
}

/** Adds `GET /openapi.json` and `GET /schemas/{type}`. */
export function descriptionRoutes(app: FastifyInstance, { createOpenApi, describeData }: ApiDescription): void {
  app.get('/openapi.json', needs.read, async () => createOpenApi());

  app.get('/schemas/:type', needs.read, async ({ params }) => {
    return found(describeData(schemaParams.parse(params).type), 'There is no such type of announcements.');
  });
}
