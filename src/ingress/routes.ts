import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Entry } from '../domain/quarantine.ts';
import { inSpan, type SpanOptions, type Tracing } from '../domain/tracing.ts';
import { createRateLimit, type Peers } from '../http/peers.ts';
import { Problem, statusOf } from '../http/problem.ts';
import type { Outcome } from '../inbox/inbox.ts';
import { createEndpointSearch, type Endpoint, type Endpoints, type Read } from './endpoints.ts';
import { type Received, withTrace } from './message/delivery.ts';
import { headerReader } from './verification/scheme.ts';

/** `headers` go with every refusal. */
const refusals = {
  400: { detail: 'The request cannot be read.' },
  401: { detail: 'The delivery is not authentic.' },
  404: { detail: 'There is no such address.' },
  405: { detail: 'Deliveries are sent with POST.', headers: { allow: 'POST' } },
  413: { detail: 'The body exceeds the size limit.' },
  429: { detail: 'Too many requests came; send it again later.' },
  500: { detail: 'The delivery was not accepted.' },
  503: { detail: 'Deliveries cannot be accepted now; send it again.', headers: { 'retry-after': '5' } },
} as const;

type RefusalStatus = keyof typeof refusals;

/** Reveals nothing of what was sent. */
export function refusal(
  status: RefusalStatus,
  options: ConstructorParameters<typeof Problem>[2] & { readonly detail?: string } = {},
): Problem {
  const { detail, ...rest } = { ...refusals[status], ...options };
  return new Problem(status, detail, rest);
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = statusOf(error);
  return refusal(status in refusals ? (status as RefusalStatus) : 500);
}

export interface DeliveryRoutesDeps {
  readonly endpoints: Endpoints;
  readonly read: Read;
  readonly inbox: { add(entry: Entry): Promise<Outcome> };
  readonly requestsPerMinute: number;
  readonly peers: Peers;
  readonly onAnswered?: DeliveryObserver | undefined;
  readonly tracing?: Tracing | undefined;
}

/** The outcome is undefined for a refused delivery; time since arrival. */
export type DeliveryObserver = (answered: {
  readonly endpoint: string;
  readonly outcome: Outcome | undefined;
  readonly status: number;
  readonly ms: number;
}) => void;

interface EndpointRoute {
  readonly Params: { readonly endpoint: string };
  readonly Body: Buffer;
}

/** Runs before the body is read. A callback, because each promise would cost every webhook one more turn. */
type Hook = (request: FastifyRequest<EndpointRoute>, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

const PATH = '/webhooks/:endpoint';

/** `POST /webhooks/{endpoint}` answers 200 once an authentic delivery is durable, whatever its content. */
export function deliveryRoutes(app: FastifyInstance, deps: DeliveryRoutesDeps): void {
  const { endpoints, requestsPerMinute, peers } = deps;
  const find = createEndpointSearch(endpoints);
  const findEndpoint: Hook = ({ params }, _reply, done) => done(find(params.endpoint) ? undefined : refusal(404));
  const limit = createRateLimit(requestsPerMinute);
  const hasCredentials = ({ params, raw, url }: Parameters<Hook>[0]): boolean =>
    find(params.endpoint)?.mayVerify?.({ header: headerReader(raw.rawHeaders), url }) ?? true;
  const findPeer: Hook = (request, _reply, done) => {
    const waitS = peers.refusedFor(request.ip);
    const isRefused = waitS !== undefined && !(hasCredentials(request) && peers.mayTry(request.ip));
    done(isRefused ? tooMany(waitS) : undefined);
  };
  const checkHead: Hook = (request, _reply, done) =>
    done(hasCredentials(request) ? undefined : unauthentic(find(request.params.endpoint) as Endpoint));

  acceptAnyBody(app);
  observeAnswers(app, deps.onAnswered);

  app.post<EndpointRoute>(PATH, {
    onRequest: [findEndpoint, findPeer, checkHead],
    handler: async (request) => {
      const { body, ip, params } = request;
      await authenticate(find(params.endpoint) as Endpoint, request, peers);
      peers.succeeded(ip);
      const waitS = limit(params.endpoint);
      if (waitS !== undefined) throw tooMany(waitS);
      const received = { endpoint: params.endpoint, body, receivedAt: Date.now() };
      (request as Answered)[OUTCOME] = await inSpan(
        deps,
        `POST ${PATH}`,
        () => spanOf(request),
        async () => await ingest(received, deps),
      );
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

async function ingest(received: Received, deps: DeliveryRoutesDeps): Promise<Outcome> {
  const { inbox, tracing } = deps;
  const refuse = (cause: unknown) => {
    throw refusal(503, { cause });
  };
  const reading = deps.read(received);
  // Most are read at once, without one more turn.
  const read = reading instanceof Promise ? await reading.catch(refuse) : reading;
  const entry = withTrace(read, tracing?.current());
  const outcome = await inbox.add(entry).catch(refuse);
  tracing?.annotate({
    'dockline.outcome': outcome,
    'dockline.tenant': entry.tenant,
    'dockline.event.id': entry.eventId,
    'dockline.event.name': entry.event?.name,
    'dockline.subject': entry.subjectKey,
  });
  return outcome;
}

/** The warehouse's own trace is linked and not continued: its ids and its sampling are its own. */
const spanOf = ({ params, headers }: FastifyRequest<EndpointRoute>): SpanOptions => ({
  kind: 'server',
  links: typeof headers.traceparent === 'string' ? [headers.traceparent] : [],
  attributes: { 'http.request.method': 'POST', 'http.route': PATH, 'dockline.endpoint': params.endpoint },
});

/** On the request itself: a map of requests, even a weak one, costs three percent of a webhook in garbage collection. */
const OUTCOME = Symbol('outcome');

interface Answered {
  [OUTCOME]?: Outcome | undefined;
}

function observeAnswers(app: FastifyInstance, onAnswered: DeliveryObserver | undefined): void {
  app.decorateRequest(OUTCOME, undefined);
  if (!onAnswered) return;
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime: ms }, done) => {
    const { endpoint } = request.params as EndpointRoute['Params'];
    onAnswered({ endpoint, outcome: (request as Answered)[OUTCOME], status, ms });
    done();
  });
}

const tooMany = (waitS: number): Problem => refusal(429, { headers: { 'retry-after': String(waitS) } });

/** Whatever the content type: a header is no reason to refuse an authentic delivery. */
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(BYTES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    raw.headers['content-type'] = BYTES;
    done();
  });
}

const BYTES = 'application/octet-stream';

/** Every so many bytes of a forged body, read and hashed for nothing, count as one failure more. */
const BYTES_PER_FAILURE = 16_384;

async function authenticate(endpoint: Endpoint, request: FastifyRequest<EndpointRoute>, peers: Peers): Promise<void> {
  const { body, ip, raw, url } = request;
  const verdict = await endpoint.verify({ header: headerReader(raw.rawHeaders), url, body });
  if (verdict === 'authentic') return;
  if (verdict !== 'undecided') peers.failed(ip, Math.floor(body.length / BYTES_PER_FAILURE));
  if (verdict === 'refused') throw unauthentic(endpoint);
  // Most are forged, though the answer is 503.
  if (verdict === 'unrecognized') peers.failed(ip);
  throw refusal(503);
}

const unauthentic = ({ challenge }: Endpoint): Problem =>
  refusal(401, challenge === undefined ? {} : { headers: { 'www-authenticate': challenge } });
