import type { FastifyInstance } from 'fastify';
import { needs } from './access.ts';
import type { OpenApi } from './openapi/open-api.ts';

/** Dependencies of the route of the OpenAPI document. */
export interface OpenApiRoutesDeps {
  /** Creates the document; the announcements in it are described by another feature. */
  readonly createOpenApi: () => OpenApi;
}

/** Adds `GET /openapi.json`. */
export function openApiRoutes(app: FastifyInstance, { createOpenApi }: OpenApiRoutesDeps): void {
  app.get('/openapi.json', needs.read, async () => createOpenApi());
}
