import type { Operation } from '../../../domain/catalogue/operation.ts';

/** The operations on data that the simulator serves; those that the specification does not name have names after those that it does. */
export const apiOperations = [
  'getOrder',
  'getOrdersItem',
  'getOrdersPicklist',
  'getUser',
  'getReceiver',
  'getAdjustment',
  'getAssembly',
  'getItem',
  'getStockSummaries',
  'getCustomer',
  'getOrders',
  'getReceivers',
  'getAdjustments',
  'getAssemblies',
] as const satisfies readonly (Operation | UnnamedOperation)[];

type UnnamedOperation = 'getCustomer' | 'getOrders' | 'getReceivers' | 'getAdjustments' | 'getAssemblies';

/** An operation that asks for a token and that a role may lack. */
export type ApiOperation = (typeof apiOperations)[number];

/** Everything that can be called, by the name under which it is counted. */
export type Call = ApiOperation | 'token' | 'webhookKey';

/** How often each operation was called. */
export interface CallCounter {
  add(call: Call): void;
  counts(): Readonly<Record<string, number>>;
}

/** Counts from zero; an operation never called is not in the counts. */
export function createCallCounter(): CallCounter {
  const counts = new Map<Call, number>();
  return {
    add: (call) => counts.set(call, (counts.get(call) ?? 0) + 1),
    counts: () => Object.fromEntries(counts),
  };
}
