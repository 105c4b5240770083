import { addresses } from '../resources/address.ts';
import { toItemResource } from '../resources/item.ts';
import { toOrderItemResource } from '../resources/order-item.ts';
import { toPickListResource } from '../resources/pick-list.ts';
import { link, type Resource } from '../resources/resource.ts';
import { requestedItemSections, requestedSections } from '../resources/sections.ts';
import { toSubjectResource } from '../resources/subject.ts';
import type { Book } from '../state/book.ts';
import { customers, users } from '../state/directory.ts';
import { type OrderState, orderIdOfPickJob } from '../state/order.ts';
import type { TransactionKind } from '../state/transaction.ts';
import type { Warehouse } from '../warehouse.ts';
import type { ApiOperation } from './operations.ts';
import type { Query } from './query.ts';

/** A request for data that was admitted. */
export interface ApiRequest {
  readonly warehouse: Warehouse;
  /** A number of the path; throws a VendorError where it is none. */
  id(name: string): number;
  readonly query: Query;
}

/** Finds what a request asks for, which nothing deleted is; undefined is answered with 404. */
type Find = (request: ApiRequest) => Resource | undefined;

/** An operation that returns one resource. */
export interface Retrieval {
  readonly operation: ApiOperation;
  readonly path: string;
  readonly find: Find;
}

const findTransaction =
  (kind: TransactionKind): Find =>
  ({ warehouse, id, query }) => {
    const state = warehouse.book.find(id('id'));
    if (state?.kind !== kind || state.deleted) return undefined;
    return toSubjectResource(state, requestedSections(query), warehouse.localTime);
  };

const findOrderItem: Find = ({ warehouse, id, query }) => {
  const order = findOrder(warehouse.book, id('id'));
  const line = order?.lines.find(({ orderItemId }) => orderItemId === id('itemId'));
  return order && line && toOrderItemResource(order, line, requestedItemSections(query));
};

const findPickList: Find = ({ warehouse, id }) => {
  const order = findOrder(warehouse.book, orderIdOfPickJob(id('id')));
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

const findItem: Find = ({ warehouse, id }) => {
  const item = warehouse.book.find(id('itemId'));
  if (item?.kind !== 'item' || item.deleted || item.customer.id !== id('id')) return undefined;
  return toItemResource(item, warehouse.localTime);
};

function findOrder(book: Book, orderId: number): OrderState | undefined {
  const state = book.find(orderId);
  return state?.kind === 'order' && !state.deleted ? state : undefined;
}

/** Every operation that returns one resource. */
export const retrievals: readonly Retrieval[] = [
  { operation: 'getOrder', path: `${addresses.order.path}/:id`, find: findTransaction('order') },
  { operation: 'getOrder', path: '/order/:id', find: findTransaction('order') },
  { operation: 'getOrdersItem', path: '/orders/:id/items/:itemId', find: findOrderItem },
  { operation: 'getOrdersPicklist', path: '/orders/pickjobs/:id/picklist', find: findPickList },
  { operation: 'getUser', path: '/uiproperties/users/:id', find: findUser },
  { operation: 'getCustomer', path: '/customers/:id', find: findCustomer },
  { operation: 'getItem', path: '/customers/:id/items/:itemId', find: findItem },
  { operation: 'getReceiver', path: `${addresses.receipt.path}/:id`, find: findTransaction('receipt') },
  { operation: 'getAdjustment', path: `${addresses.adjustment.path}/:id`, find: findTransaction('adjustment') },
  { operation: 'getAssembly', path: `${addresses.assembly.path}/:id`, find: findTransaction('assembly') },
];
