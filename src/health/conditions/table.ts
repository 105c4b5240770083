import type { ConditionName } from '../../domain/health/condition.ts';
import type { Find } from '../sources.ts';
import {
  findFailingAnnouncements,
  findFailingDestinations,
  findPartlyFailingDestinations,
  findStoppedDestinations,
} from './destinations.ts';
import { findLimitedListings } from './listings.ts';
import {
  findDifferences,
  findDocklineAway,
  findExpiringCertificates,
  findFailingSweeps,
  findFullDisk,
  findMissingAttributes,
  findMissingKeys,
  findTemporalAway,
  findUnpolledQueue,
  findWrongClocks,
} from './machine.ts';
import { findAtRisk, findOverdue, findStalled } from './orders.ts';
import { findDeadLetters, findQuarantined } from './quarantine.ts';
import {
  findFailingRecords,
  findFailingWarehouses,
  findLimitingWarehouses,
  findMissingRoles,
  findPartlyFailingWarehouses,
  findRefusedCredentials,
} from './warehouses.ts';
import { findStoppedWebhooks, findStuck } from './webhooks.ts';

/** Known from the other searches: one of them fails, or all. */
type Implied = 'unjudged' | 'store-away';

/** Each reads a bounded part of the store. */
export const searches: Readonly<Record<Exclude<ConditionName, Implied>, Find>> = {
  'warehouse-failing': findFailingWarehouses,
  'credential-refused': findRefusedCredentials,
  'warehouse-limiting': findLimitingWarehouses,
  'warehouse-partly-failing': findPartlyFailingWarehouses,
  'role-missing': findMissingRoles,
  'record-failing': findFailingRecords,
  'destination-failing': findFailingDestinations,
  'destination-partly-failing': findPartlyFailingDestinations,
  'announcement-failing': findFailingAnnouncements,
  'destination-stopped': findStoppedDestinations,
  quarantine: findQuarantined,
  'dead-letters': findDeadLetters,
  stalled: findStalled,
  overdue: findOverdue,
  'at-risk': findAtRisk,
  'webhooks-stopped': findStoppedWebhooks,
  'reconciliation-failing': findFailingSweeps,
  'reconciliation-differences': findDifferences,
  'listing-limited': findLimitedListings,
  'key-unavailable': findMissingKeys,
  'certificate-expiring': findExpiringCertificates,
  'disk-nearly-full': findFullDisk,
  'clock-wrong': findWrongClocks,
  'temporal-away': findTemporalAway,
  'queue-unpolled': findUnpolledQueue,
  'search-attributes-missing': findMissingAttributes,
  stuck: findStuck,
  'dockline-away': findDocklineAway,
};
