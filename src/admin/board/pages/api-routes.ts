import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { found } from '../../../http/problem.ts';
import { needs } from '../../access.ts';
import type { ApiDescription } from '../../description-routes.ts';
import { type Respond, sendFile } from '../responder.ts';
import { announcementTypePage, apiPage, callPage, callsOf, schemaPage } from './api.ts';

const named = z.object({ name: z.string() });

/** Adds the pages of the OpenAPI document, and the document itself for those who have signed in. */
export function apiRoutes(
  app: FastifyInstance,
  { createOpenApi, describeData }: ApiDescription,
  respond: Respond,
): void {
  app.get('/api', needs.read, (_request, reply) => respond(reply, apiPage(createOpenApi())));

  app.get('/api/openapi.json', needs.read, (_request, reply) =>
    sendFile(reply, 'openapi.json', Buffer.from(`${JSON.stringify(createOpenApi(), null, 2)}\n`)),
  );

  app.get('/api/calls/:name', needs.read, (request, reply) => {
    const { name } = named.parse(request.params);
    const document = createOpenApi();
    const placed = found(callsOf(document).find(({ call }) => call.operationId === name));
    return respond(reply, callPage(document, placed));
  });

  app.get('/api/announcements/:name', needs.read, (request, reply) => {
    const { name } = named.parse(request.params);
    const document = createOpenApi();
    const { post } = found(new Map(Object.entries(document.webhooks)).get(name));
    return respond(reply, announcementTypePage(document, { type: name, call: post, data: describeData(name) }));
  });

  app.get('/api/schemas/:name', needs.read, (request, reply) =>
    respond(reply, found(schemaPage(createOpenApi(), named.parse(request.params).name))),
  );
}
