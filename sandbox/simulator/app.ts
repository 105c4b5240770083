import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { ZodError, z } from 'zod';
import { type ApiDeps, registerApi, send } from './api/api.ts';
import { VendorError, vendorError } from './api/vendor-error.ts';
import { type ControlDeps, registerControl } from './control.ts';
import type { SigningKey } from './webhooks/sender.ts';

interface AppDeps extends ApiDeps, ControlDeps {
  readonly key: SigningKey;
}

/** Builds the HTTP server: token endpoint, public key, API and control endpoints. */
export function buildApp(deps: AppDeps): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _, reply) => refuse(reply, toVendorError(error)));
  app.setNotFoundHandler((_, reply) => refuse(reply, vendorError(404, 'NotFound', 'No such path')));
  registerToken(app, deps);
  registerKey(app, deps);
  registerApi(app, deps);
  registerControl(app, deps);
  return app;
}

function registerToken(app: FastifyInstance, { tokens, count, faults, signal, liar }: AppDeps): void {
  const onRequest = async () => {
    count('token');
    if (faults.current().tokenToo) await faults.strike(signal);
  };
  app.post('/AuthServer/api/Token', { onRequest }, async (request, reply) => {
    const body = JSON.stringify(tokens.issue(request.headers.authorization, request.body));
    return send(reply, await liar.tell(liar.nextOfTokens(), { ...JSON_ANSWER, body }, request.url));
  });
}

const JSON_ANSWER = { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } } as const;

function registerKey(app: FastifyInstance, { key, count, faults, signal }: AppDeps): void {
  app.get('/events/webhook/key', async () => {
    count('webhookKey');
    await faults.strike(signal);
    return { publicKey: key.publicKey(), retrievalDateISO: new Date().toISOString() };
  });
}

function refuse(reply: FastifyReply, { statusCode, headers, body }: VendorError): FastifyReply {
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  return reply.code(statusCode).headers(headers).type(type).send(body);
}

function toVendorError(error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  if (error instanceof ZodError) return vendorError(400, 'NotParsable', z.prettifyError(error));
  const { statusCode = 500, message = '' } = error as { statusCode?: number; message?: string };
  return statusCode < 500
    ? vendorError(statusCode, 'NotParsable', message)
    : new VendorError(500, 'Internal Server Error');
}
