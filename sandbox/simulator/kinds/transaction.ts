import { lastMember } from '../../../src/base/text.ts';
import { standardPaths } from '../../../src/domain/catalogue/operation.ts';
import { type SweptKind, sweptKinds } from '../../../src/domain/catalogue/subject.ts';
import { kinds } from '../../../src/domain/kinds/kinds.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import type { Stage } from '../../../src/domain/lifecycle/stage.ts';
import { capitalize, type LocalTime, link, type Resource, relation } from '../resources/resource.ts';
import { chooseFacility, type Identifier } from '../state/directory.ts';
import { type Entry, type NewSubject, newEntry, type TimedDetails } from '../state/entry.ts';
import type { Shown } from './kind.ts';

/** Fields of every transaction. Times are null until the step has happened. */
export interface Transaction extends Entry {
  readonly kind: SweptKind;
  readonly id: number;
  readonly referenceNum: string;
  readonly facility: Identifier;
  /** Open, closed, canceled. */
  readonly status: 0 | 1 | 2;
  /** False once the transaction is complete. */
  readonly deferNotification: boolean;
  /** Closing time. */
  readonly processed: number | null;
}

/** Creates an open transaction. Throws if the customer or facility is unknown. */
export function newTransaction<K extends SweptKind>(kind: K, subject: NewSubject): Transaction & { readonly kind: K } {
  const { id, stream, referenceNum = `${kind.slice(0, 2).toUpperCase()}${id}X`, facilityId } = subject;
  return {
    ...newEntry(kind, subject),
    id,
    referenceNum,
    facility: chooseFacility(stream, facilityId),
    status: 0,
    deferNotification: true,
    processed: null,
  };
}

type Progress = Partial<Pick<Transaction, 'status' | 'deferNotification' | 'processed' | 'deleted'>>;

/** Effects of the events of every transaction. */
const transactionEffects = {
  created: () => ({}),
  updated: () => ({}),
  // It stays open, also an adjustment or assembly (specification 3).
  completed: () => ({ deferNotification: false }),
  confirmed: (_, { time }) => ({ status: 1, processed: time }),
  unconfirmed: () => ({ status: 0, processed: null }),
  canceled: () => ({ status: 2 }),
  deleted: () => ({ deleted: true }),
} as const satisfies { readonly [M in Milestone]?: (state: Transaction, details: TimedDetails) => Progress };

const statuses = ['open', 'closed', 'canceled'] as const;

/** Shared by the rows of all transactions, unless they have other steps. */
export const transaction = {
  effects: transactionEffects,
  stage({ status, deferNotification }: Transaction): Stage {
    if (status === 2) return 'canceled';
    if (status === 1) return 'confirmed';
    return deferNotification ? 'created' : 'completed';
  },
  facts: ({ status, deferNotification, referenceNum }: Transaction): Snapshot => ({
    status: statuses[status],
    completed: !deferNotification,
    referenceNumber: referenceNum,
  }),
} as const;

/** Location and vocabulary of the resources of a kind. */
interface Address {
  /** Path of the collection. */
  readonly path: string;
  /** Relation of a member, in `_embedded` and in `resource.rel` of a message. */
  readonly rel: string;
  /** Name of the id in `readOnly`; capitalized in `data` of a message. */
  readonly idName: string;
}

/** Addresses of transactions, from the names of the specification. Every `rel` but the order's is a guess. */
export const addresses = Object.fromEntries(sweptKinds.map((kind) => [kind, addressOf(kinds[kind])])) as Readonly<
  Record<SweptKind, Address>
>;

function addressOf({ id, listing: { operation } }: (typeof kinds)[SweptKind]): Address {
  const path = standardPaths[operation];
  const [collection = '', parent = collection] = path.slice(1).split('/').toReversed();
  const member = collection.replace(/ies$/, 'y').replace(/s$/, '');
  return { path, rel: `${parent}/${member}`, idName: lastMember(id) };
}

/** Returns the fields of `readOnly` that every transaction has. */
export function readOnlyFields(transaction: Transaction, localTime: LocalTime): Resource {
  return {
    [addresses[transaction.kind].idName]: transaction.id,
    status: transaction.status,
    isClosed: transaction.status === 1,
    deferNotification: transaction.deferNotification,
    customerIdentifier: transaction.customer,
    facilityIdentifier: transaction.facility,
    creationDate: localTime(transaction.created),
    lastModifiedDate: localTime(transaction.lastModified),
    lastModifiedByIdentifier: transaction.lastModifiedBy,
  };
}

/** Shows a transaction with members besides those of all. */
export function showTransaction(transaction: Transaction, localTime: LocalTime, own: Resource): Shown {
  const { kind, id, customer, referenceNum } = transaction;
  const { path: collection, rel, idName } = addresses[kind];
  const path = `${collection}/${id}`;
  const { readOnly, _links, ...others } = own;
  return {
    rel,
    path,
    ids: { [capitalize(idName)]: String(id) },
    body: {
      referenceNum,
      ...others,
      readOnly: { ...readOnlyFields(transaction, localTime), ...(readOnly as Resource) },
      _links: {
        self: link(path),
        [relation('customers/customer')]: link(`/customers/${customer.id}`),
        ...(_links as Resource),
      },
    },
  };
}
