import type { SubjectKind } from '../../../domain/catalogue/subject.ts';
import type { Stream } from '../random.ts';
import { type Customer, customerOf, customers, type Identifier, users } from './directory.ts';

/** What the warehouse has of every kind. Times are milliseconds since the epoch. */
export interface Entry {
  readonly kind: SubjectKind;
  /** Unique across kinds; text for what has no number of its own. */
  readonly id: number | string;
  readonly customer: Customer;
  readonly clerk: Identifier;
  readonly created: number;
  readonly deleted: boolean;
  readonly lastModified: number;
  readonly lastModifiedBy: Identifier;
}

/** What a caller may choose of something new; the seed chooses the rest, and what its kind does not have is ignored. */
export interface EntryOptions {
  /** One of the simulator's customers. */
  readonly customerId?: number;
  /** One of the simulator's facilities; an item has none. */
  readonly facilityId?: number;
  /** Of an order, a receipt, an adjustment or an assembly. */
  readonly referenceNum?: string;
  /** How many lines an order has, at most a thousand; by default one to three. */
  readonly lines?: number;
  /** The item that stock or a held item is of. */
  readonly itemId?: number;
  /** The qualifier of stock or of a held item; by default it has none. */
  readonly qualifier?: string;
}

/** What is new of any kind, without its id. Throws for a customer that there is none of. */
export function newEntry<K extends SubjectKind>(
  kind: K,
  stream: Stream,
  { customerId }: EntryOptions,
): Omit<Entry, 'id'> & { readonly kind: K } {
  const customer = stream.pick(customers);
  const clerk = stream.pick(users);
  const created = Date.now();
  return {
    kind,
    customer: customerId === undefined ? customer : customerOf(customerId),
    clerk,
    created,
    deleted: false,
    lastModified: created,
    lastModifiedBy: clerk,
  };
}
