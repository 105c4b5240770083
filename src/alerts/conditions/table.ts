import type { ConditionName } from '../../domain/alerts/condition.ts';
import { findFailingDestinations, findStoppedDestinations } from './destinations.ts';
import { findDeadLetters, findQuarantined } from './leftovers.ts';
import { findDifferences, findDocklineAway, findFailingSweeps, findFullDisk, findTemporalAway } from './machine.ts';
import { findAtRisk, findOverdue, findStalled } from './orders.ts';
import type { Search } from './search.ts';
import { findFailingWarehouses, findRefusedCredentials } from './warehouses.ts';

/** Search for each condition, which reads a bounded part of the store. */
export const searches: Readonly<Record<ConditionName, Search>> = {
  'destination-failing': findFailingDestinations,
  'destination-stopped': findStoppedDestinations,
  'warehouse-failing': findFailingWarehouses,
  'credential-refused': findRefusedCredentials,
  quarantine: findQuarantined,
  'dead-letters': findDeadLetters,
  stalled: findStalled,
  overdue: findOverdue,
  'at-risk': findAtRisk,
  'reconciliation-failing': findFailingSweeps,
  'reconciliation-differences': findDifferences,
  'disk-nearly-full': findFullDisk,
  'temporal-away': findTemporalAway,
  'dockline-away': findDocklineAway,
};
