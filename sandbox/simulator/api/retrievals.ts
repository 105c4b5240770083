import { retrievalOf, type SubjectKind, type SweptKind, sweptKinds } from '../../../src/domain/catalogue/subject.ts';
import type { Manners } from '../manners.ts';
import { toItemResource } from '../resources/inventory.ts';
import { toOrderItemResource, toPickListResource } from '../resources/order.ts';
import { link, type Resource } from '../resources/resource.ts';
import { requestedItemSections, requestedSections } from '../resources/sections.ts';
import { type ResourceForm, showSubject } from '../resources/subject.ts';
import { addresses } from '../resources/transaction.ts';
import { customers, items, users } from '../state/directory.ts';
import type { OrderState } from '../state/order.ts';
import type { SubjectState } from '../state/subject.ts';
import type { Warehouse } from '../warehouse.ts';
import type { ApiOperation } from './faults.ts';

/** Warehouse as its API shows it now, which may be some time behind. */
interface View extends ResourceForm {
  readonly find: (id: number) => SubjectState | undefined;
  readonly list: <K extends SubjectKind>(kind: K) => readonly (SubjectState & { readonly kind: K })[];
  /** Lists everything as it was two seconds before. */
  readonly listEarlier: View['list'];
  /** Returns the id of the order that a pick job belongs to. */
  readonly orderOfPickJob: (jobId: number) => number | undefined;
  /** Returns the number of custom fields that make an order's record large; usually 0. */
  readonly extraElements: (orderId: number) => number;
}

/** Returns the view of a warehouse at this moment, or some time ago, in milliseconds. */
export function viewOf({ book, localTime, numbering }: Warehouse, manners: Manners, lagMs = 0): View {
  const at = Date.now() - manners.readLagMs - lagMs;
  const extra = new Map(manners.largeRecord ? largeRecords.map((size, n) => [numbering.idOf('order', n), size]) : []);
  return {
    localTime,
    manners,
    find: (id) => book.find(id, at),
    list: (kind) => book.list(kind, at),
    listEarlier: (kind) => book.list(kind, at - EARLIER_MS),
    orderOfPickJob: book.orderOfPickJob,
    extraElements: (id) => extra.get(id) ?? 0,
  };
}

const EARLIER_MS = 2000;

/** Custom fields of the first orders with large records. */
const largeRecords = [150_000, 2_000] as const;

/** Authorized request. */
export interface ApiRequest {
  readonly view: View;
  /** Reads a number of the path. Throws a VendorError if it is not a number. */
  id(name: string): number;
  /** Parameters by their lower-case names. */
  readonly query: URLSearchParams;
}

/** Finds the requested resource unless it is deleted; undefined is answered with 404. */
type Find = (request: ApiRequest) => Resource | undefined;

/** Ids of a path, by their names in it. */
type Ids = Readonly<Record<string, number>>;

/** Operation that returns one resource. */
interface Retrieval {
  readonly operation: ApiOperation;
  readonly path: string;
  readonly find: Find;
  /** Lists the ids of everything that it can return. */
  readonly all: (view: View) => readonly Ids[];
}

/** Returns a request for another resource of the same kind; the same request if there is none. */
export function strangerTo({ all }: Retrieval, asked: ApiRequest): ApiRequest {
  const isOther = (ids: Ids) => Object.entries(ids).some(([name, id]) => id !== asked.id(name));
  const ids = all(asked.view).find(isOther);
  // Nobody could tell whose record it is that is too large to be read.
  const view = { ...asked.view, extraElements: () => 0 };
  return ids ? { ...asked, view, id: (name) => ids[name] ?? asked.id(name) } : asked;
}

const allOf =
  (kind: SweptKind): Retrieval['all'] =>
  ({ list }) =>
    list(kind).map(({ id }) => ({ id }));

const allOrderItems: Retrieval['all'] = ({ list }) =>
  list('order').flatMap(({ id, lines }) => lines.map(({ orderItemId }) => ({ id, itemId: orderItemId })));

const allPickLists: Retrieval['all'] = ({ list }) =>
  list('order').flatMap(({ pickJobs }) => pickJobs.map(({ id }) => ({ id })));

const allItems: Retrieval['all'] = ({ list }) =>
  list('item').map(({ id, customer }) => ({ id: customer.id, itemId: id }));

const transactions = (kind: SweptKind, path: string = addresses[kind].path): Retrieval => ({
  operation: retrievalOf[kind],
  path: `${path}/:id`,
  find: findTransaction(kind),
  all: allOf(kind),
});

const findTransaction =
  (kind: SweptKind): Find =>
  ({ view, id, query }) => {
    const state = view.find(id('id'));
    if (state?.kind !== kind || state.deleted) return undefined;
    const { body } = showSubject(state, requestedSections(query), view);
    return kind === 'order' ? enlarge(body, view.extraElements(state.id)) : body;
  };

/** Adds custom fields to a record that make it large, if there are to be any. */
export const enlarge = (body: Resource, length: number): Resource =>
  length === 0
    ? body
    : { ...body, ['ReadOnly' in body ? 'SavedElements' : 'savedElements']: Array.from({ length }, toSavedElement) };

/** Returns a resource in which each list of one that it embeds, and each `resourceList`, is that one itself. */
export function bareRows(resource: Resource): Resource {
  const bare = (value: unknown) => (Array.isArray(value) && value.length === 1 ? value[0] : value);
  const { _embedded: embedded, resourceList } = resource;
  const lists = typeof embedded === 'object' && embedded !== null ? Object.entries(embedded) : [];
  return {
    ...resource,
    ...(embedded !== undefined && { _embedded: Object.fromEntries(lists.map(([name, list]) => [name, bare(list)])) }),
    ...(resourceList !== undefined && { resourceList: bare(resourceList) }),
  };
}

const toSavedElement = (_: unknown, index: number) => ({ name: `Serial number ${index}`, value: `SN-${index}` });

const findOrderItem: Find = ({ view, id, query }) => {
  const order = findOrder(view, id('id'));
  const line = order?.lines.find(({ orderItemId }) => orderItemId === id('itemId'));
  return order && line && toOrderItemResource(order, line, requestedItemSections(query));
};

const findPickList: Find = ({ view, id }) => {
  const orderId = view.orderOfPickJob(id('id'));
  const order = orderId === undefined ? undefined : findOrder(view, orderId);
  const job = order?.pickJobs.find((candidate) => candidate.id === id('id'));
  return order && job && toPickListResource(order, job);
};

const findUser: Find = ({ id }) => {
  const user = users.find((candidate) => candidate.id === id('id'));
  return user && { ...user, login: user.name, _links: { self: link(`/uiproperties/users/${user.id}`) } };
};

const findCustomer: Find = ({ id }) => {
  const customer = customers.find((candidate) => candidate.id === id('id'));
  return (
    customer && {
      readOnly: { customerId: customer.id, deactivated: false },
      companyInfo: { companyName: customer.name },
      externalId: customer.externalId,
      _links: { self: link(`/customers/${customer.id}`) },
    }
  );
};

const findItem: Find = ({ view, id }) => {
  const item = view.find(id('itemId'));
  if (item?.kind === 'item') {
    return item.deleted || item.customer.id !== id('id') ? undefined : toItemResource(item, view.localTime);
  }
  const listed = items.find((candidate) => candidate.id === id('itemId'));
  return listed && { itemId: listed.id, sku: listed.sku, readOnly: { deactivated: false } };
};

function findOrder({ find }: View, orderId: number): OrderState | undefined {
  const state = find(orderId);
  return state?.kind === 'order' && !state.deleted ? state : undefined;
}

/** Every operation that returns one resource. */
export const retrievals: readonly Retrieval[] = [
  ...sweptKinds.map((kind) => transactions(kind)),
  transactions('order', '/order'),
  { operation: 'getOrdersItem', path: '/orders/:id/items/:itemId', find: findOrderItem, all: allOrderItems },
  { operation: 'getOrdersPicklist', path: '/orders/pickjobs/:id/picklist', find: findPickList, all: allPickLists },
  { operation: 'getUser', path: '/uiproperties/users/:id', find: findUser, all: () => users.map(({ id }) => ({ id })) },
  {
    operation: 'getCustomer',
    path: '/customers/:id',
    find: findCustomer,
    all: () => customers.map(({ id }) => ({ id })),
  },
  { operation: 'getItem', path: '/customers/:id/items/:itemId', find: findItem, all: allItems },
];
