import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from './credential.ts';
import { customers, receivers, users } from './directory.ts';
import type { FaultInjector } from './faults.ts';
import type { ApiOperation, CallCounter } from './operations.ts';
import type { OrderBook } from './order-book.ts';
import { toOrderItemResource } from './order-item-resource.ts';
import { toOrderResource } from './order-resource.ts';
import type { OrderState } from './order-state.ts';
import { toPickListResource } from './pick-list-resource.ts';
import { toReceiverResource } from './receiver-resource.ts';
import { link, type Resource, represent } from './resource.ts';
import { itemSections, orderSections, receiverSections, requestedSections } from './sections.ts';
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

/** Finds what a request asks for; undefined is answered with 404. */
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
    ['getOrder', '/orders/:id', findOrder(book)],
    ['getOrder', '/order/:id', findOrder(book)],
    ['getOrdersItem', '/orders/:id/items/:itemId', findOrderItem(book)],
    ['getOrdersPicklist', '/orders/pickjobs/:id/picklist', findPickList(book)],
    ['getUser', '/uiproperties/users/:id', findUser],
    ['getCustomer', '/customers/:id', findCustomer],
    ['getReceiver', '/inventory/receivers/:id', findReceiver],
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

const findOrder =
  (book: OrderBook): Find =>
  ({ id, query }) => {
    const order = findExisting(book, id('id'));
    const details = requestedSections(query, 'detail', orderSections);
    return order && toOrderResource(order, details, requestedSections(query, 'itemdetail', itemSections));
  };

const findOrderItem =
  (book: OrderBook): Find =>
  ({ id, query }) => {
    const order = findExisting(book, id('id'));
    const line = order?.lines.find(({ orderItemId }) => orderItemId === id('itemId'));
    return order && line && toOrderItemResource(order, line, requestedSections(query, 'detail', itemSections));
  };

const findPickList =
  (book: OrderBook): Find =>
  ({ id }) => {
    const order = book.findByPickJob(id('id'));
    const job = order?.pickJobs.find((candidate) => candidate.id === id('id'));
    return order && job && !order.deleted ? toPickListResource(order, job) : undefined;
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

const findReceiver: Find = ({ id, query }) => {
  const receiver = receivers.find(({ receiverId }) => receiverId === id('id'));
  return receiver && toReceiverResource(receiver, requestedSections(query, 'detail', receiverSections));
};

/** A deleted order is gone for whoever asks. */
function findExisting(book: OrderBook, orderId: number): OrderState | undefined {
  const order = book.find(orderId);
  return order?.deleted ? undefined : order;
}
