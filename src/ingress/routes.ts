import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { inSpan, type SpanOptions, type Tracing } from '../domain/tracing.ts';
import type { Problem } from '../http/problem.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import type { Outcome } from '../inbox/inbox.ts';
import type { Entry } from '../inbox/rows.ts';
import { createBodyReader, drain } from './body.ts';
import { createEndpointSearch, type Endpoint, type Endpoints } from './endpoints.ts';
import type { Gate } from './gate.ts';
import { type Received, withTrace } from './message/entry.ts';
import { refusal } from './refusal.ts';
import { headerReader } from './verification/scheme.ts';

/** Dependencies of the webhook endpoints. */
export interface DeliveryRoutesDeps {
  readonly endpoints: Endpoints;
  /** Reads a delivery into the entry that the inbox stores. */
  readonly read: (received: Received) => Entry | Promise<Entry>;
  readonly inbox: { add(entry: Entry): Promise<Outcome> };
  /** Maximum size of a body, in bytes. */
  readonly bodyLimit: number;
  /** Maximum size of all bodies in flight together, in bytes. */
  readonly arrivingLimit?: number;
  /** Rate limit of the authentic deliveries to each endpoint. */
  readonly requestsPerMinute: number;
  readonly gate: Gate;
  /** Notified of each answer. */
  readonly onAnswered?: DeliveryObserver | undefined;
  readonly tracing?: Tracing | undefined;
}

/** Receives the answer to each delivery: its outcome, undefined if it was refused, and the time since its arrival in milliseconds. */
export type DeliveryObserver = (answered: {
  readonly endpoint: string;
  readonly outcome: Outcome | undefined;
  readonly status: number;
  readonly ms: number;
}) => void;

interface EndpointRoute {
  readonly Params: { readonly endpoint: string };
}

/** Runs before the body is read. It takes a callback because each promise would cost every webhook one more turn. */
type Hook = (request: FastifyRequest<EndpointRoute>, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

const PATH = '/webhooks/:endpoint';

/** Adds `POST /webhooks/{endpoint}`, which answers 200 once an authentic delivery is durable, whatever its content. */
export function deliveryRoutes(app: FastifyInstance, deps: DeliveryRoutesDeps): void {
  const { endpoints, requestsPerMinute, gate } = deps;
  const find = createEndpointSearch(endpoints);
  const findEndpoint: Hook = ({ params }, _reply, done) => done(find(params.endpoint) ? undefined : refusal(404));
  const limit = createRateLimit({ requestsPerMinute });
  const hasCredentials = ({ params, raw, url }: Parameters<Hook>[0]): boolean =>
    find(params.endpoint)?.mayVerify?.({ header: headerReader(raw.rawHeaders), url }) ?? true;
  const findPeer: Hook = (request, _reply, done) => {
    const waitS = gate.refusedFor(request);
    const isRefused = waitS !== undefined && !(hasCredentials(request) && gate.mayTry(request));
    done(isRefused ? tooMany(waitS, { connection: 'close' }) : undefined);
  };
  const checkHead: Hook = (request, _reply, done) => {
    if (hasCredentials(request)) return done();
    const { raw, params } = request;
    const endpoint = find(params.endpoint) as Endpoint;
    if (hasShortBody(raw)) return done(unauthentic(endpoint));
    drain(raw, deps.bodyLimit).then(() => done(unauthentic(endpoint, { connection: 'close' })));
  };

  const readBody = createBodyReader(deps);
  acceptAnyBody(app);
  observeAnswers(app, deps.onAnswered);

  app.post<EndpointRoute>(PATH, {
    onRequest: [findEndpoint, findPeer, checkHead],
    handler: async (request) => {
      const { endpoint } = request.params;
      const take = async (body: Buffer) => {
        await authenticate(find(endpoint) as Endpoint, request, body, gate);
        gate.authentic(request);
        const waitS = limit(endpoint);
        if (waitS !== undefined) throw tooMany(waitS);
        const outcome = await inSpan(
          deps,
          `POST ${PATH}`,
          () => spanOf(request),
          async () => {
            const entry = await deps.read({ endpoint, body, receivedAt: Date.now() });
            return await ingest(withTrace(entry, deps.tracing?.current()), deps);
          },
        );
        (request as Answered)[OUTCOME] = outcome;
      };
      await readBody(request.raw, take, () => gate.flooded(request));
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

/** Stores an entry, and notes it in its trace. */
async function ingest(
  entry: Entry,
  { inbox, tracing }: Pick<DeliveryRoutesDeps, 'inbox' | 'tracing'>,
): Promise<Outcome> {
  const outcome = await inbox.add(entry).catch((cause: unknown) => {
    throw refusal(503, { cause });
  });
  tracing?.annotate({
    'dockline.outcome': outcome,
    'dockline.tenant': entry.tenant,
    'dockline.event.id': entry.eventId,
    'dockline.event.name': entry.event?.name,
    'dockline.subject': entry.subjectKey,
  });
  return outcome;
}

/** Describes the span of an authentic delivery. The warehouse's own trace is linked and not continued: its ids and its sampling are its own. */
const spanOf = ({ params, headers }: FastifyRequest<EndpointRoute>): SpanOptions => ({
  kind: 'server',
  links: typeof headers.traceparent === 'string' ? [headers.traceparent] : [],
  attributes: { 'http.request.method': 'POST', 'http.route': PATH, 'dockline.endpoint': params.endpoint },
});

/** Key of the outcome in a request: a map of requests, even a weak one, costs the collector of garbage three percent of a webhook. */
const OUTCOME = Symbol('outcome');

interface Answered {
  [OUTCOME]?: Outcome | undefined;
}

/** Reports each answer, with the outcome that the handler has put down for its request. */
function observeAnswers(app: FastifyInstance, onAnswered: DeliveryObserver | undefined): void {
  app.decorateRequest(OUTCOME, undefined);
  if (!onAnswered) return;
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime: ms }, done) => {
    const { endpoint } = request.params as EndpointRoute['Params'];
    onAnswered({ endpoint, outcome: (request as Answered)[OUTCOME], status, ms });
    done();
  });
}

const tooMany = (waitS: number, headers: Readonly<Record<string, string>> = {}): Problem =>
  refusal(429, { headers: { 'retry-after': String(waitS), ...headers } });

/** Treats every body as bytes, whatever its content type: a header is no reason to refuse an authentic delivery. */
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null));
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    raw.headers['content-type'] = 'application/octet-stream';
    done();
  });
}

async function authenticate(endpoint: Endpoint, request: FastifyRequest, body: Buffer, gate: Gate): Promise<void> {
  const { raw, url } = request;
  const verdict = await endpoint.verify({ header: headerReader(raw.rawHeaders), url, body });
  if (verdict === 'authentic') return;
  if (verdict !== 'undecided') gate.forged(request, body.length);
  if (verdict === 'refused') throw unauthentic(endpoint);
  // Most are forged, though the answer is 503.
  if (verdict === 'unrecognized') gate.failed(request);
  throw refusal(503);
}

const unauthentic = ({ challenge }: Endpoint, headers: Readonly<Record<string, string>> = {}): Problem =>
  refusal(401, { headers: { ...(challenge && { 'www-authenticate': challenge }), ...headers } });

/** Maximum size of a body that Node drops after the answer, in bytes, so that the connection can carry the next request. */
const SHORT_BYTES = 65_536;

const hasShortBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SHORT_BYTES;
