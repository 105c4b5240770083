import type { Payload, PayloadCodec } from '@temporalio/common';
import { JSONToPayload, payloadToJSON } from '@temporalio/common/lib/proto-utils.js';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Logger } from '../../base/logger.ts';
import { createFinder, readCredentials } from '../../http/credentials.ts';
import { createSignIns } from '../../http/peers.ts';
import { answerProblems, Problem } from '../../http/problem.ts';
import { CodecError } from './codec.ts';

export interface CodecAppDeps {
  readonly codec: PayloadCodec;
  /** If absent, only web pages of other origins are refused. */
  readonly token: string | undefined;
  readonly origins: readonly string[];
  readonly logger: Pick<Logger, 'error'>;
}

/** A page of a history can have many payloads, each of up to 2 MB. */
const BODY_LIMIT = 64 * 1024 * 1024;

/**
 * Temporal's remote codec: POST to any path that ends in `/encode` or `/decode`, with `{"payloads": […]}`. All
 * namespaces have the same keys. Answers 400 for payloads that cannot be read or decrypted.
 */
export function createCodecApp({ codec, token, origins, logger }: CodecAppDeps): FastifyInstance {
  const app = fastify({ logger: false, bodyLimit: BODY_LIMIT });
  const isAdmitted = token === undefined ? () => true : createAdmission(token);
  app.removeContentTypeParser('text/plain');
  answerProblems(app, {
    logger,
    failed: 'a request to the codec failed',
    notFound: 'POST to /encode or /decode.',
    isRefusal: (error) => error instanceof CodecError,
  });
  app.addHook('onRequest', async (request, reply) => {
    allowOrigin(request, reply, origins);
    if (request.method === 'OPTIONS' || isAdmitted(request)) return;
    reply.header('www-authenticate', 'Basic realm="codec"');
    throw new Problem(401, 'The token is missing or wrong.');
  });

  app.options('*', async (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
  // Browsers sign in here, because they do not ask for a password on behalf of another page.
  app.get('/', async () => 'You are signed in to the codec; the Temporal UI can use it now.');
  app.post('/*', async ({ url, body }, reply) => {
    const operation = /\/(encode|decode)(\?|$)/.exec(url)?.[1] as 'encode' | 'decode' | undefined;
    if (!operation) return reply.callNotFound();
    const payloads = await codec[operation](readPayloads(body));
    return { payloads: payloads.map(payloadToJSON) };
  });
  return app;
}

const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type, x-namespace',
  'access-control-max-age': '600',
};

/** As `Bearer`, or as the password of `Basic` with any user, which is all that a browser can send. */
function createAdmission(token: string): (request: FastifyRequest) => boolean {
  const find = createFinder([token], (it) => it);
  const signIns = createSignIns();
  return ({ ip, headers: { authorization } }) => {
    // A browser signs in only once it was asked to.
    if (authorization === undefined) return false;
    const basic = Buffer.from(readCredentials('Basic', authorization) ?? '', 'base64').toString();
    const offered = readCredentials('Bearer', authorization) ?? basic.replace(/^[^:]*:/, '');
    return signIns.check(ip, () => find(offered)) !== undefined;
  };
}

function allowOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  reply.header('vary', 'origin');
  if (origin === undefined) return;
  if (!origins.includes(origin)) throw new Problem(403, 'CODEC_ORIGINS does not name the origin of this page.');
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
}

/** Protobuf's JSON omits an empty list. */
const bodySchema = z.object({ payloads: z.array(z.custom<Parameters<typeof JSONToPayload>[0]>()).nullish() });

function readPayloads(body: unknown): Payload[] {
  try {
    return bodySchema.parse(body).payloads?.map(JSONToPayload) ?? [];
  } catch {
    throw new Problem(400, 'The body must be {"payloads": […]} as protobuf writes it in JSON.');
  }
}
