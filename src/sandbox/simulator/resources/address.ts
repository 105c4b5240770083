import type { Transaction, TransactionKind } from '../state/transaction.ts';

/** Where the resources of a kind are and what their ids are called. */
export interface Address {
  /** The path of the collection, without the id. */
  readonly path: string;
  /** The name of one in the relations of `_embedded`, and what `resource.rel` of a message says. */
  readonly rel: string;
  /** The name of the id in `readOnly`; capitalized in a message's `data`. */
  readonly idName: string;
}

/** The addresses of transactions. Those of adjustments and assemblies are guesses, as is every `rel` and `data` but the order's. */
export const addresses = {
  order: { path: '/orders', rel: 'orders/order', idName: 'orderId' },
  receipt: { path: '/inventory/receivers', rel: 'inventory/receiver', idName: 'receiverId' },
  adjustment: { path: '/inventory/adjustments', rel: 'inventory/adjustment', idName: 'adjustmentId' },
  assembly: { path: '/inventory/assemblies', rel: 'inventory/assembly', idName: 'assemblyId' },
} as const satisfies Record<TransactionKind, Address>;

/** Where a GET finds a transaction. */
export function pathOf({ kind, id }: Pick<Transaction, 'kind' | 'id'>): string {
  return `${addresses[kind].path}/${id}`;
}

/** Where stock summaries are listed; one of them has no path of its own. */
export const stockSummariesPath = '/inventory/stocksummaries';
