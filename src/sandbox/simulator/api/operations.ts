import type { Operation } from '../../../domain/catalogue/operation.ts';

/** Operations that the simulator serves. The listings have no names in the specification. */
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
] as const satisfies readonly (Operation | 'getOrders' | 'getReceivers' | 'getAdjustments' | 'getAssemblies')[];

/** Operation that needs a token and that a role may lack. */
export type ApiOperation = (typeof apiOperations)[number];

/** Name under which a request is counted. */
export type Call = ApiOperation | 'token' | 'webhookKey';
