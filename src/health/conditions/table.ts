import type { ConditionName } from '../../domain/health/condition.ts';
import type { Find } from '../sources.ts';
import { ofDestinations } from './destinations.ts';
import { ofMachine } from './machine.ts';
import { ofOrders } from './orders.ts';
import { ofQuarantine } from './quarantine.ts';
import { ofReconciliation } from './reconciliation.ts';
import { ofWarehouses } from './warehouses.ts';
import { ofWebhooks } from './webhooks.ts';

/** Known from the other searches: one of them fails, or all. */
type Implied = 'unjudged' | 'store-away';

/** Each reads a bounded part of the store. */
export const searches: Readonly<Record<Exclude<ConditionName, Implied>, Find>> = {
  ...ofWarehouses,
  ...ofDestinations,
  ...ofQuarantine,
  ...ofOrders,
  ...ofWebhooks,
  ...ofReconciliation,
  ...ofMachine,
};
