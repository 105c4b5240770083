import type { SubjectKind } from '../domain/subject.ts';
import { type Customer, customerOf, customers, facilities, type Identifier, users } from './directory.ts';
import type { Stream } from './random.ts';

/** What the warehouse has of every kind. Times are milliseconds since the epoch, null for what has not happened. */
export interface Transaction {
  readonly kind: SubjectKind;
  readonly id: number;
  readonly referenceNum: string;
  readonly customer: Customer;
  readonly facility: Identifier;
  readonly clerk: Identifier;
  readonly created: number;
  /** Open, Closed, Canceled. */
  readonly status: 0 | 1 | 2;
  readonly deleted: boolean;
  /** False once it is complete. */
  readonly deferNotification: boolean;
  /** When it was closed. */
  readonly processed: number | null;
  readonly lastModified: number;
  readonly lastModifiedBy: Identifier;
}

/** What a caller may choose of a new transaction; the seed chooses the rest. */
export interface TransactionOptions {
  readonly referenceNum?: string;
  /** One of the simulator's customers. */
  readonly customerId?: number;
}

const prefixes = { order: 'OR', receipt: 'RC', adjustment: 'AD', assembly: 'AS' } as const;

/** A transaction to which nothing has happened. Throws for a customer that there is none of. */
export function newTransaction<K extends SubjectKind>(
  kind: K,
  id: number,
  stream: Stream,
  { referenceNum = `${prefixes[kind]}${id}X`, customerId }: TransactionOptions,
): Transaction & { readonly kind: K } {
  const customer = stream.pick(customers);
  const clerk = stream.pick(users);
  const created = Date.now();
  return {
    kind,
    id,
    referenceNum,
    customer: customerId === undefined ? customer : customerOf(customerId),
    facility: stream.pick(facilities),
    clerk,
    created,
    status: 0,
    deleted: false,
    deferNotification: true,
    processed: null,
    lastModified: created,
    lastModifiedBy: clerk,
  };
}
