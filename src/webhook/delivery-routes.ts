import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Entry } from '../inbox/rows.ts';
import { type ReadingOptions, toEntry } from './entry.ts';
import { Problem } from './problem.ts';
import type { Verdict, Verifier } from './verifier.ts';

/** What taking a delivery needs. */
export interface DeliveryRoutesDeps extends ReadingOptions {
  /** How deliveries are verified, by the name of the endpoint. */
  readonly endpoints: Readonly<Record<string, Verifier>>;
  readonly inbox: { add(entry: Entry): Promise<unknown> };
  /** In bytes. */
  readonly bodyLimit: number;
  /** For each endpoint. */
  readonly requestsPerMinute: number;
  readonly now?: () => number;
}

interface EndpointRoute {
  readonly Params: { readonly endpoint: string };
}

const PATH = '/webhooks/:endpoint';

/** `POST /webhooks/{endpoint}`: 200 once an authentic delivery is durable, whatever it says. */
export function deliveryRoutes(app: FastifyInstance, deps: DeliveryRoutesDeps): void {
  const { now = Date.now } = deps;
  const verifiers = new Map(Object.entries(deps.endpoints));
  const findEndpoint = async ({ params }: FastifyRequest<EndpointRoute>): Promise<void> => {
    if (!verifiers.has(params.endpoint)) throw new Problem(404);
  };
  takeAnyBody(app);

  app.post<EndpointRoute>(PATH, {
    bodyLimit: deps.bodyLimit,
    onRequest: [findEndpoint],
    config: { rateLimit: perEndpoint(deps.requestsPerMinute) },
    handler: async (request) => {
      const verify = verifiers.get(request.params.endpoint) as Verifier;
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      refuseUnless(await verify({ headers: request.headers, query: queryOf(request.url), body }));
      const { endpoint } = request.params;
      const entry = toEntry({ endpoint, body, receivedAt: now() }, deps);
      await deps.inbox.add(entry).catch((cause: unknown) => {
        throw new Problem(503, { cause });
      });
      return { status: 'taken' };
    },
  });

  app.route<EndpointRoute>({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: PATH,
    onRequest: [
      findEndpoint,
      async () => {
        throw new Problem(405);
      },
    ],
    handler: async () => undefined,
  });
}

/** Every body is bytes, whatever its content type says: authentic traffic is never refused for a header. */
function takeAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook('onRequest', async ({ raw }) => {
    raw.headers['content-type'] = 'application/octet-stream';
  });
}

const perEndpoint = (max: number) => ({
  max,
  timeWindow: 60_000,
  keyGenerator: (request: FastifyRequest) => (request as FastifyRequest<EndpointRoute>).params.endpoint,
  errorResponseBuilder: () => new Problem(429),
});

function refuseUnless(verdict: Verdict): void {
  if (verdict === 'refused') throw new Problem(401);
  if (verdict === 'undecided') throw new Problem(503);
}

const queryOf = (url: string): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]);
