import type { FastifyInstance } from 'fastify';
import { needs } from './access.ts';

/** Dependencies of the route of the OpenAPI document. */
export interface OpenApiRoutesDeps {
  /** Creates the document; the announcements in it are described by another feature. */
  readonly createOpenApi: () => object;
}

/** Adds `GET /openapi.json`. */
export function openApiRoutes(app: FastifyInstance, { createOpenApi }: OpenApiRoutesDeps): void {
  app.get('/openapi.json', needs.read, async () => createOpenApi());
}
