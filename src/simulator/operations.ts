import type { Operation } from '../domain/catalogue.ts';

/** The operations on data that the simulator serves. */
export const apiOperations = [
  'getOrder',
  'getOrdersItem',
  'getOrdersPicklist',
  'getUser',
  'getReceiver',
  'getAdjustment',
  'getAssembly',
  'getCustomer',
] as const satisfies readonly (Operation | 'getCustomer')[];

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
