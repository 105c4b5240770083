import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Problem } from '../http/problem.ts';
import type { Entry } from '../inbox/rows.ts';
import { type BodyReader, createBodyReader } from './body.ts';
import type { Endpoint, Endpoints } from './endpoints.ts';
import type { Received } from './message/entry.ts';
import type { Peers } from './peers.ts';
import { createRateLimit } from './rate-limit.ts';
import { refusal } from './refusal.ts';
import { headerReader } from './verification/verifier.ts';

/** Dependencies of the webhook endpoints. */
export interface DeliveryRoutesDeps {
  readonly endpoints: Endpoints;
  /** Reads a delivery into the entry that the inbox stores. */
  readonly read: (received: Received) => Entry | Promise<Entry>;
  readonly inbox: { add(entry: Entry): Promise<unknown> };
  /** Maximum size of a body, in bytes. */
  readonly bodyLimit: number;
  /** Maximum size of all bodies in flight together, in bytes. */
  readonly arrivingLimit?: number;
  /** Rate limit of the authentic deliveries to each endpoint. */
  readonly requestsPerMinute: number;
  readonly peers: Peers;
  readonly now?: () => number;
}

interface EndpointRoute {
  readonly Params: { readonly endpoint: string };
}

/** Runs before the body is read. It takes a callback because each promise would cost every webhook one more turn. */
type Hook = (request: FastifyRequest<EndpointRoute>, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

const PATH = '/webhooks/:endpoint';

/** Adds `POST /webhooks/{endpoint}`, which answers 200 once an authentic delivery is durable, whatever its content. */
export function deliveryRoutes(app: FastifyInstance, deps: DeliveryRoutesDeps): void {
  const { endpoints, requestsPerMinute, peers, now = Date.now } = deps;
  const findEndpoint: Hook = ({ params }, _reply, done) =>
    done(endpoints.has(params.endpoint) ? undefined : refusal(404));
  const limit = createRateLimit({ requestsPerMinute });
  const findPeer: Hook = ({ ip }, _reply, done) => {
    const waitS = peers.refusedFor(ip);
    done(waitS === undefined ? undefined : tooMany(waitS, { connection: 'close' }));
  };
  acceptAnyBody(app, createBodyReader(deps));

  app.post<EndpointRoute>(PATH, {
    onRequest: [findEndpoint, findPeer],
    handler: async (request) => {
      const { endpoint } = request.params;
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await authenticate(endpoints.get(endpoint) as Endpoint, request, body);
      peers.succeeded(request.ip);
      const waitS = limit(endpoint);
      if (waitS !== undefined) throw tooMany(waitS);
      await deps.inbox.add(await deps.read({ endpoint, body, receivedAt: now() })).catch((cause: unknown) => {
        throw refusal(503, { cause });
      });
      return { status: 'accepted' };
    },
  });

  app.route<EndpointRoute>({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: PATH,
    onRequest: [findEndpoint, (_request, _reply, done) => done(refusal(405))],
    handler: async () => undefined,
  });
}

const tooMany = (waitS: number, headers: Readonly<Record<string, string>> = {}): Problem =>
  refusal(429, { headers: { 'retry-after': String(waitS), ...headers } });

/** Treats every body as bytes, whatever its content type: a header is no reason to refuse an authentic delivery. */
function acceptAnyBody(app: FastifyInstance, readBody: BodyReader): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/octet-stream', async (_request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload),
  );
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    raw.headers['content-type'] = 'application/octet-stream';
    done();
  });
}

async function authenticate(
  { verify, challenge }: Endpoint,
  { raw, url }: FastifyRequest,
  body: Buffer,
): Promise<void> {
  const verdict = await verify({ header: headerReader(raw.rawHeaders), url, body });
  if (verdict === 'refused') throw refusal(401, challenge ? { headers: { 'www-authenticate': challenge } } : {});
  if (verdict === 'undecided') throw refusal(503);
}
