import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SubjectKind } from '../domain/subject.ts';
import { addresses } from './address.ts';
import type { Book } from './book.ts';
import type { Credential } from './credential.ts';
import { customers, users } from './directory.ts';
import type { FaultInjector } from './faults.ts';
import type { ApiOperation, CallCounter } from './operations.ts';
import { toOrderItemResource } from './order-item-resource.ts';
import { type OrderState, orderIdOfPickJob } from './order-state.ts';
import { toPickListResource } from './pick-list-resource.ts';
import { link, type Resource, represent } from './resource.ts';
import { requestedItemSections, requestedSections } from './sections.ts';
import { toSubjectResource } from './subject-resource.ts';
import type { Tokens } from './tokens.ts';
import { vendorError } from './vendor-error.ts';
import type { Warehouse } from './warehouse.ts';

/** What the resource operations stand on. */
export interface ApiDeps {
  readonly warehouse: Warehouse;
  readonly tokens: Tokens;
  readonly calls: CallCounter;
  readonly faults: FaultInjector;
  /** Ends the waits of slow answers. */
  readonly signal: AbortSignal;
}

/** Finds what a request asks for, which nothing deleted is; undefined is answered with 404. */
type Find = (request: ApiRequest) => Resource | undefined;

interface ApiRequest {
  /** A number of the path; throws a VendorError where it is none. */
  id(name: string): number;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
}

/** Serves the resource operations (specification 4.2; the other paths are those of the real system). */
export function registerApi(app: FastifyInstance, deps: ApiDeps): void {
  const { book } = deps.warehouse;
  const operations: readonly (readonly [ApiOperation, string, Find])[] = [
    ['getOrder', `${addresses.order.path}/:id`, findSubject(book, 'order')],
    ['getOrder', '/order/:id', findSubject(book, 'order')],
    ['getOrdersItem', '/orders/:id/items/:itemId', findOrderItem(book)],
    ['getOrdersPicklist', '/orders/pickjobs/:id/picklist', findPickList(book)],
    ['getUser', '/uiproperties/users/:id', findUser],
    ['getCustomer', '/customers/:id', findCustomer],
    ['getReceiver', `${addresses.receipt.path}/:id`, findSubject(book, 'receipt')],
    ['getAdjustment', `${addresses.adjustment.path}/:id`, findSubject(book, 'adjustment')],
    ['getAssembly', `${addresses.assembly.path}/:id`, findSubject(book, 'assembly')],
  ];
  for (const [operation, path, find] of operations) {
    app.get(path, { onRequest: (request) => admit(operation, request, deps) }, async (request, reply) =>
      answer(request, reply, find),
    );
  }
}

async function admit(operation: ApiOperation, request: FastifyRequest, deps: ApiDeps): Promise<void> {
  deps.calls.add(operation);
  await deps.faults.strike(deps.signal);
  const credential = deps.tokens.authenticate(request.headers.authorization);
  if (!mayRead(credential) || deps.faults.forbids(operation)) {
    throw vendorError(403, 'Forbidden', `The role of this credential does not allow ${operation}`);
  }
}

/** A multi-tenant credential is for tenants, not for their data (specification 5.1). */
function mayRead({ type }: Credential): boolean {
  return type !== 'multiTenant';
}

function answer(request: FastifyRequest, reply: FastifyReply, find: Find): FastifyReply {
  const params = request.params as Readonly<Record<string, string>>;
  const resource = find({
    id: (name) => toId(params[name]),
    query: request.query as ApiRequest['query'],
  });
  if (!resource) throw vendorError(404, 'NotFound', 'No such resource');
  const { contentType, etag, text } = represent(resource, request.headers.accept);
  return reply.type(contentType).header('etag', etag).send(text);
}

function toId(text = ''): number {
  if (!/^-?\d{1,15}$/.test(text)) throw vendorError(400, 'NotParsable', 'id');
  return Number(text);
}

const findSubject =
  (book: Book, kind: SubjectKind): Find =>
  ({ id, query }) => {
    const state = book.find(id('id'));
    return state?.kind === kind && !state.deleted ? toSubjectResource(state, requestedSections(query)) : undefined;
  };

const findOrderItem =
  (book: Book): Find =>
  ({ id, query }) => {
    const order = findOrder(book, id('id'));
    const line = order?.lines.find(({ orderItemId }) => orderItemId === id('itemId'));
    return order && line && toOrderItemResource(order, line, requestedItemSections(query));
  };

const findPickList =
  (book: Book): Find =>
  ({ id }) => {
    const order = findOrder(book, orderIdOfPickJob(id('id')));
    const job = order?.pickJobs.find((candidate) => candidate.id === id('id'));
    return order && job && toPickListResource(order, job);
  };

const findUser: Find = ({ id }) => {
  const user = users.find((candidate) => candidate.id === id('id'));
  return user && { ...user, login: user.name, _links: { self: link(`/uiproperties/users/${user.id}`) } };
};

const findCustomer: Find = ({ id }) => {
  const customer = customers.find((candidate) => candidate.id === id('id'));
  if (!customer) return undefined;
  const { id: customerId, name, externalId } = customer;
  return {
    readOnly: { customerId, deactivated: false },
    companyInfo: { companyName: name },
    externalId,
    _links: { self: link(`/customers/${customerId}`) },
  };
};

function findOrder(book: Book, orderId: number): OrderState | undefined {
  const state = book.find(orderId);
  return state?.kind === 'order' && !state.deleted ? state : undefined;
}
