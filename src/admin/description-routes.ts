import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '../http/json-schema.ts';
import { found } from '../http/problem.ts';
import { needs } from './access.ts';
import type { OpenApi } from './openapi/open-api.ts';
import { schemaParams } from './queries.ts';

/** By another feature, which knows the announcements. */
export interface ApiDescription {
  readonly createOpenApi: () => OpenApi;
  /** Undefined for an unknown type. */
  readonly describeData: (type: string) => JsonSchema | undefined;
}

/** `GET /openapi.json` and `GET /schemas/{type}`. */
export function descriptionRoutes(app: FastifyInstance, { createOpenApi, describeData }: ApiDescription): void {
  app.get('/openapi.json', needs.read, async () => createOpenApi());

  app.get('/schemas/:type', needs.read, async ({ params }) => {
    return found(describeData(schemaParams.parse(params).type), 'There is no such type of announcements.');
  });
}
