import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isPlain, type Resource, represent } from '../resources/resource.ts';
import type { Warehouse } from '../warehouse.ts';
import type { Credential } from './credential.ts';
import type { FaultInjector } from './faults.ts';
import { type Listing, listings } from './listings.ts';
import type { ApiOperation, CallCounter } from './operations.ts';
import { readPaging, toPage } from './page.ts';
import { parameterOf } from './query.ts';
import { type ApiRequest, retrievals } from './retrievals.ts';
import { parseRql } from './rql.ts';
import { sortRows } from './sort.ts';
import type { Tokens } from './tokens.ts';
import { vendorError } from './vendor-error.ts';

/** What the resource operations stand on. */
export interface ApiDeps {
  /** What each tenant has, by `tplId`. */
  readonly tenancies: ReadonlyMap<number, { readonly warehouse: Warehouse }>;
  readonly tokens: Tokens;
  readonly calls: CallCounter;
  readonly faults: FaultInjector;
  /** Ends the waits of slow answers. */
  readonly signal: AbortSignal;
}

/** Serves the operations on data (specification 4.2; the other paths are those of the real system). */
export function registerApi(app: FastifyInstance, deps: ApiDeps): void {
  for (const { operation, path, find } of retrievals) {
    app.get(path, async (request, reply) => {
      const resource = find(await admit(operation, request, deps));
      if (!resource) throw vendorError(404, 'NotFound', 'No such resource');
      return send(reply, represent(resource, request.headers.accept));
    });
  }
  for (const listing of listings) {
    app.get(listing.path, async (request, reply) => {
      const admitted = await admit(listing.operation, request, deps);
      const paging = readPaging(admitted.query, listing.pageSizeLimit);
      const rows = list(listing, admitted, deps.faults);
      const page = toPage(rows, { listing, query: admitted.query, paging, plain: isPlain(request.headers.accept) });
      const { etag: _, ...whole } = represent(page, request.headers.accept);
      return send(reply, whole);
    });
  }
}

/** The rows that are asked for, on all pages. */
function list(listing: Listing, { warehouse, query }: ApiRequest, faults: FaultInjector): readonly Resource[] {
  const rql = faults.current().ignoreRql ? undefined : parameterOf(query, 'rql');
  const sort = listing.sortable ? parameterOf(query, 'sort') : undefined;
  const rows = listing.rows(warehouse, query).filter(parseRql(rql ?? ''));
  return sort ? sortRows(rows, sort) : rows;
}

async function admit(operation: ApiOperation, request: FastifyRequest, deps: ApiDeps): Promise<ApiRequest> {
  deps.calls.add(operation);
  await deps.faults.strike(deps.signal);
  const { credential, tplId } = deps.tokens.authenticate(request.headers.authorization);
  const tenancy = deps.tenancies.get(tplId);
  if (!tenancy || !mayRead(credential) || deps.faults.forbids(operation)) {
    throw vendorError(403, 'Forbidden', `The role of this credential does not allow ${operation}`);
  }
  const params = request.params as Readonly<Record<string, string>>;
  return {
    warehouse: tenancy.warehouse,
    id: (name) => toId(params[name]),
    query: request.query as ApiRequest['query'],
  };
}

/** A multi-tenant credential is for tenants, not for their data (specification 5.1). */
function mayRead({ type }: Credential): boolean {
  return type !== 'multiTenant';
}

function send(
  reply: FastifyReply,
  { contentType, etag, text }: { readonly contentType: string; readonly etag?: string; readonly text: string },
): FastifyReply {
  return reply
    .type(contentType)
    .headers(etag === undefined ? {} : { etag })
    .send(text);
}

function toId(text = ''): number {
  if (!/^-?\d{1,15}$/.test(text)) throw vendorError(400, 'NotParsable', 'id');
  return Number(text);
}
