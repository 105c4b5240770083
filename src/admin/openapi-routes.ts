import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '../http/json-schema.ts';
import { found } from '../http/problem.ts';
import { needs } from './access.ts';
import type { OpenApi } from './openapi/open-api.ts';
import { schemaParams } from './queries.ts';

/** Dependencies of the route of the OpenAPI document. */
export interface OpenApiRoutesDeps {
  /** Creates the document; the announcements in it are described by another feature. */
  readonly createOpenApi: () => OpenApi;
  /** Describes the `data` of a type of announcements; undefined for an unknown type. */
  readonly describeData: (type: string) => JsonSchema | undefined;
}

/** Adds `GET /openapi.json` and `GET /schemas/{type}`. */
export function openApiRoutes(app: FastifyInstance, { createOpenApi, describeData }: OpenApiRoutesDeps): void {
  app.get('/openapi.json', needs.read, async () => createOpenApi());

  app.get('/schemas/:type', needs.read, async ({ params }) => {
    return found(describeData(schemaParams.parse(params).type), 'There is no such type of announcements.');
  });
}
