import {
  retrievalOf,
  type SubjectKind,
  type SweptKind,
  subjectKinds,
  sweptKinds,
} from '../../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../../src/domain/kinds/kinds.ts';
import type { Ids, ResourceRequest } from '../kinds/kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { addresses } from '../kinds/transaction.ts';
import type { Manners } from '../manners.ts';
import { link, type Resource } from '../resources/resource.ts';
import { requestedSections } from '../resources/sections.ts';
import { showSubject } from '../resources/subject.ts';
import { customers, users } from '../state/directory.ts';
import type { Warehouse } from '../warehouse.ts';
import type { ApiOperation } from './faults.ts';

/** Warehouse as its API shows it now, which may be some time behind. */
type View = ReturnType<typeof viewOf>;

/** Returns the view of a warehouse at this moment, or some time ago, in milliseconds. */
export function viewOf({ book, localTime, numbering }: Warehouse, manners: Manners, lagMs = 0) {
  const at = Date.now() - manners.readLagMs - lagMs;
  const extra = new Map(manners.largeRecord ? largeRecords.map((size, n) => [numbering.idOf(mainKind, n), size]) : []);
  return {
    localTime,
    manners,
    /** Finds a subject that is not deleted. */
    find(id: number | string, kind: SubjectKind) {
      const state = book.find(id, at);
      return state?.kind === kind && !state.deleted ? state : undefined;
    },
    list: <K extends SubjectKind>(kind: K) => book.list(kind, at),
    /** Lists everything as it was two seconds before. */
    listEarlier: (kind: SubjectKind) => book.list(kind, at - EARLIER_MS),
    wholeOf: book.wholeOf,
    /** Returns the number of custom fields that make an order's record large; usually 0. */
    extraElements: (orderId: number): number => extra.get(orderId) ?? 0,
  };
}

const EARLIER_MS = 2000;

/** Custom fields of the first orders with large records. */
const largeRecords = [150_000, 2_000] as const;

/** Authorized request. */
export interface ApiRequest extends ResourceRequest {
  readonly view: View;
}

/** Finds the requested resource unless it is deleted; undefined is answered with 404. */
type Find = (request: ApiRequest) => Resource | undefined;

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

const transactions = (kind: SweptKind, path: string = addresses[kind].path): Retrieval => ({
  operation: retrievalOf[kind],
  path: `${path}/:id`,
  find({ view, id, query }) {
    const state = view.find(id('id'), kind);
    if (!state) return undefined;
    const { body } = showSubject(state, requestedSections(query), view);
    return kind === mainKind ? enlarge(body, view.extraElements(Number(state.id))) : body;
  },
  all: ({ list }) => list(kind).map(({ id }) => ({ id })),
});

const ownRetrievals = (kind: SubjectKind): readonly Retrieval[] =>
  (kindOf(kind).retrievals ?? []).map(({ find, all, ...named }) => ({
    ...named,
    find: ({ view, ...request }) =>
      find(
        {
          localTime: view.localTime,
          find: (id) => view.find(id, kind),
          findWhole: (partId) => view.find(view.wholeOf(partId) ?? '', kind),
        },
        request,
      ),
    all: ({ list }) => all(list(kind)),
  }));

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

/** Every operation that returns one resource. */
export const retrievals: readonly Retrieval[] = [
  ...sweptKinds.map((kind) => transactions(kind)),
  transactions(mainKind, '/order'),
  ...subjectKinds.flatMap(ownRetrievals),
  { operation: 'getUser', path: '/uiproperties/users/:id', find: findUser, all: () => users.map(({ id }) => ({ id })) },
  {
    operation: 'getCustomer',
    path: '/customers/:id',
    find: findCustomer,
    all: () => customers.map(({ id }) => ({ id })),
  },
];
