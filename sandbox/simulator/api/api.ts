import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PathName } from '../../../src/domain/catalogue/operation.ts';
import { kindOf, sweptKinds } from '../../../src/domain/catalogue/subject.ts';
import { kinds } from '../../../src/domain/kinds/kinds.ts';
import type { MannersHolder } from '../manners.ts';
import { isPlain, represent } from '../resources/resource.ts';
import type { Warehouse } from '../warehouse.ts';
import type { ApiOperation, FaultInjector } from './faults.ts';
import type { Answer, Liar } from './lies.ts';
import { listings, listPage } from './listings.ts';
import { type ApiRequest, bareRows, retrievals, strangerTo, viewOf } from './retrievals.ts';
import type { Tokens } from './tokens.ts';
import { VendorError, vendorError } from './vendor-error.ts';
import type { Withheld } from './withheld.ts';

export interface ApiDeps {
  /** Tenants by `tplId`. */
  readonly tenants: ReadonlyMap<number, { readonly warehouse: Warehouse }>;
  readonly tokens: Tokens;
  readonly faults: FaultInjector;
  readonly manners: MannersHolder;
  readonly liar: Liar;
  readonly withheld: Withheld;
  /** Counts a request by the name of its path. */
  readonly count: (path: PathName) => void;
  /** Aborts delayed answers. */
  readonly signal: AbortSignal;
}

/** Serves the operations on data (specification 4.2; the paths that it does not list are those of the real API). */
export function registerApi(app: FastifyInstance, deps: ApiDeps): void {
  for (const retrieval of retrievals) {
    serve(app, retrieval, deps, (asked, accept, isWrong) => {
      const resource = retrieval.find(isWrong ? strangerTo(retrieval, asked) : asked);
      if (!resource) throw vendorError(404, 'NotFound', 'No such resource');
      const shown = deps.faults.current().bareRow ? bareRows(resource) : resource;
      const { contentType, etag, text } = represent(shown, accept);
      return { status: 200, headers: { 'content-type': contentType, etag }, body: text };
    });
  }
  for (const listing of listings) {
    serve(app, listing, deps, (asked, accept, isWrong) => {
      const faults = deps.faults.current();
      const isByIds = asked.query.get('rql')?.includes('=in=') ?? false;
      const lie = isByIds && !isWrong ? deps.liar.nextOfPages() : undefined;
      const { count, page } = listPage(listing, asked, { faults, plain: isPlain(accept), isWrong, lie });
      if (count === 0 && faults.noRows === 404) throw vendorError(404, 'NotFound', 'No such resource');
      if (count === 0 && faults.noRows === 204) return { status: 204, headers: {}, body: '' };
      const { contentType, text } = represent(faults.bareRow ? bareRows(page) : page, accept);
      return { status: 200, headers: { 'content-type': contentType }, body: text };
    });
  }
}

/** Answers an authorized request; `isWrong` asks for another record, if there is one. */
type Show = (asked: ApiRequest, accept: string | undefined, isWrong: boolean) => Answer;

function serve(
  app: FastifyInstance,
  { operation, path }: { readonly operation: ApiOperation; readonly path: string },
  deps: ApiDeps,
  show: Show,
): void {
  app.get(path, async (request, reply) => {
    const { accept, authorization } = request.headers;
    try {
      const asked = await authorize(operation, request, deps);
      const truth = show(asked, accept, false);
      // Nothing is due before it is certain that there is something to lie about.
      const lie = deps.liar.next(request.url);
      const answer = await deps.liar.tell(lie, lie === 'wrongRecord' ? show(asked, accept, true) : truth, request.url);
      if (lie === 'tokenTaken') deps.tokens.takeFrom(authorization);
      if (lie) deps.withheld.add(operation, pathOf(request), false);
      else deps.withheld.returned(operation);
      if (deps.faults.current().resets.includes(operation)) return reply.hijack().raw.destroy();
      return await send(reply, answer);
    } catch (error) {
      deps.withheld.add(operation, pathOf(request), error instanceof VendorError && error.statusCode === 429);
      throw error;
    }
  });
}

/** Sends an answer as it is: its length is that of its body. */
export const send = (reply: FastifyReply, { status, headers, body }: Answer): FastifyReply =>
  reply.code(status).headers(headers).send(body);

const pathOf = ({ url }: FastifyRequest): string => url.replace(/\?.*/s, '');

/** Operations whose paths are guesses. */
const guessed: ReadonlySet<string> = new Set(
  sweptKinds.flatMap((kind) => (kindOf(kind).isIdGuessed ? Object.keys(kinds[kind].operations) : [])),
);

async function authorize(operation: ApiOperation, request: FastifyRequest, deps: ApiDeps): Promise<ApiRequest> {
  deps.count(operation);
  const params = request.params as Readonly<Record<string, string>>;
  await deps.faults.strike(deps.signal, operation, Object.values(params));
  if (!deps.manners.current().guessedPaths && guessed.has(operation))
    throw vendorError(404, 'NotFound', 'No such path');
  const { credential, tplId } = deps.tokens.authenticate(request.headers.authorization);
  const tenant = deps.tenants.get(tplId);
  // A multi-tenant credential provisions tenants and has no access to their data (specification 5.1).
  if (!tenant || credential.type === 'multiTenant' || deps.faults.current().forbidden.includes(operation)) {
    throw vendorError(403, 'Forbidden', `The role of this credential does not allow ${operation}`);
  }
  const lagMs = isListing(operation) ? deps.faults.current().listingLagMs : 0;
  return {
    view: viewOf(tenant.warehouse, deps.manners.current(), lagMs),
    id: (name) => toId(params[name]),
    query: queryOf(request),
  };
}

const isListing = (operation: ApiOperation): boolean => listings.some((listing) => listing.operation === operation);

/** Parameter names are case-insensitive. */
function queryOf({ url }: FastifyRequest): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of new URL(url, 'http://localhost').searchParams) query.append(name.toLowerCase(), value);
  return query;
}

function toId(text = ''): number {
  if (!/^-?\d{1,15}$/.test(text)) throw vendorError(400, 'NotParsable', 'id');
  return Number(text);
}
