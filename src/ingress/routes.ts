import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Entry } from '../inbox/rows.ts';
import { type BodyReader, createBodyReader } from './body.ts';
import type { Endpoint, Endpoints } from './endpoints.ts';
import type { Received } from './message/entry.ts';
import { Problem } from './problem.ts';
import { createRateLimit } from './rate-limit.ts';
import { headerReader } from './verification/verifier.ts';

/** What taking a delivery needs. */
export interface DeliveryRoutesDeps {
  readonly endpoints: Endpoints;
  /** What is kept of a delivery. */
  readonly read: (received: Received) => Entry | Promise<Entry>;
  readonly inbox: { add(entry: Entry): Promise<unknown> };
  /** In bytes. */
  readonly bodyLimit: number;
  /** Of all bodies that are on their way at once, in bytes. */
  readonly arrivingLimit?: number;
  /** For each endpoint. */
  readonly requestsPerMinute: number;
  readonly now?: () => number;
}

interface EndpointRoute {
  readonly Params: { readonly endpoint: string };
}

/** What is done before a body is read. With promises, each webhook would wait its turn once for every one of them. */
type Hook = (request: FastifyRequest<EndpointRoute>, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

const PATH = '/webhooks/:endpoint';

/** `POST /webhooks/{endpoint}`: 200 once an authentic delivery is durable, whatever it says. */
export function deliveryRoutes(app: FastifyInstance, deps: DeliveryRoutesDeps): void {
  const { endpoints, requestsPerMinute, now = Date.now } = deps;
  const findEndpoint: Hook = ({ params }, _reply, done) =>
    done(endpoints.has(params.endpoint) ? undefined : new Problem(404));
  const limit = createRateLimit({ requestsPerMinute });
  const countRequest: Hook = ({ params }, _reply, done) => {
    const waitS = limit(params.endpoint);
    done(waitS === undefined ? undefined : new Problem(429, { headers: { 'retry-after': String(waitS) } }));
  };
  takeAnyBody(app, createBodyReader(deps));

  app.post<EndpointRoute>(PATH, {
    onRequest: [findEndpoint, countRequest],
    handler: async (request) => {
      const { endpoint } = request.params;
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await refuseStrangers(endpoints.get(endpoint) as Endpoint, request, body);
      await deps.inbox.add(await deps.read({ endpoint, body, receivedAt: now() })).catch((cause: unknown) => {
        throw new Problem(503, { cause });
      });
      return { status: 'taken' };
    },
  });

  app.route<EndpointRoute>({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: PATH,
    onRequest: [findEndpoint, (_request, _reply, done) => done(new Problem(405))],
    handler: async () => undefined,
  });
}

/** Every body is bytes, whatever its content type says: authentic traffic is never refused for a header. */
function takeAnyBody(app: FastifyInstance, readBody: BodyReader): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/octet-stream', async (_request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload),
  );
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    raw.headers['content-type'] = 'application/octet-stream';
    done();
  });
}

async function refuseStrangers(
  { verify, challenge }: Endpoint,
  { raw, url }: FastifyRequest,
  body: Buffer,
): Promise<void> {
  const verdict = await verify({ header: headerReader(raw.rawHeaders), url, body });
  if (verdict === 'refused') throw new Problem(401, challenge ? { headers: { 'www-authenticate': challenge } } : {});
  if (verdict === 'undecided') throw new Problem(503);
}
