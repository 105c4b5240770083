import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { Needed } from '../../src/admin/access.ts';

/** Route of an application, with the role that it declares. */
export interface NotedRoute {
  readonly method: string;
  readonly url: string;
  readonly role: Needed | undefined;
}

/** Notes the routes of the Fastify applications that a test creates, without those that Fastify adds for HEAD. */
export function noteRoutes(): readonly NotedRoute[] {
  const routes: NotedRoute[] = [];
  const note = (message: unknown) => {
    (message as { readonly fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, url, role: config?.role });
    });
  };
  subscribe('fastify.initialization', note);
  onTestFinished(() => void unsubscribe('fastify.initialization', note));
  return routes;
}
