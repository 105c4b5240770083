import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PathName } from '../../../domain/catalogue/paths.ts';
import type { MannersHolder } from '../manners.ts';
import { isPlain, represent } from '../resources/resource.ts';
import type { Warehouse } from '../warehouse.ts';
import type { ApiOperation, FaultInjector } from './faults.ts';
import { listings, listPage } from './listings.ts';
import { type ApiRequest, retrievals, viewOf } from './retrievals.ts';
import type { Tokens } from './tokens.ts';
import { vendorError } from './vendor-error.ts';

/** Dependencies of the API. */
export interface ApiDeps {
  /** Tenants by `tplId`. */
  readonly tenants: ReadonlyMap<number, { readonly warehouse: Warehouse }>;
  readonly tokens: Tokens;
  readonly faults: FaultInjector;
  readonly manners: MannersHolder;
  /** Counts a request by the name of its path. */
  readonly count: (path: PathName) => void;
  /** Aborts delayed answers. */
  readonly signal: AbortSignal;
}

/** Serves the operations on data (specification 4.2; the paths that it does not list are those of the real API). */
export function registerApi(app: FastifyInstance, deps: ApiDeps): void {
  for (const { operation, path, find } of retrievals) {
    app.get(path, async (request, reply) => {
      const resource = find(await authorize(operation, request, deps));
      if (!resource) throw vendorError(404, 'NotFound', 'No such resource');
      const { contentType, etag, text } = represent(resource, request.headers.accept);
      return reply.type(contentType).header('etag', etag).send(text);
    });
  }
  for (const listing of listings) {
    app.get(listing.path, async (request, reply) => {
      const { accept } = request.headers;
      const authorized = await authorize(listing.operation, request, deps);
      const { ignoreRql } = deps.faults.current();
      const page = listPage(listing, authorized, { ignoreRql, plain: isPlain(accept) });
      const { contentType, text } = represent(page, accept);
      return reply.type(contentType).send(text);
    });
  }
}

/** Operations whose paths are guesses. */
const guessed: ReadonlySet<ApiOperation> = new Set(['getAdjustment', 'getAdjustments', 'getAssembly', 'getAssemblies']);

async function authorize(operation: ApiOperation, request: FastifyRequest, deps: ApiDeps): Promise<ApiRequest> {
  deps.count(operation);
  await deps.faults.strike(deps.signal, operation);
  if (!deps.manners.current().guessedPaths && guessed.has(operation))
    throw vendorError(404, 'NotFound', 'No such path');
  const { credential, tplId } = deps.tokens.authenticate(request.headers.authorization);
  const tenant = deps.tenants.get(tplId);
  // A multi-tenant credential provisions tenants and has no access to their data (specification 5.1).
  if (!tenant || credential.type === 'multiTenant' || deps.faults.current().forbidden.includes(operation)) {
    throw vendorError(403, 'Forbidden', `The role of this credential does not allow ${operation}`);
  }
  const params = request.params as Readonly<Record<string, string>>;
  return {
    view: viewOf(tenant.warehouse, deps.manners.current()),
    id: (name) => toId(params[name]),
    query: queryOf(request),
  };
}

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
