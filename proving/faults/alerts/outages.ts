import type { ConditionName } from '../../../src/domain/health/condition.ts';

/** Condition that no fault brings, with the test that begins and ends it. */
interface Tested {
  readonly by: 'test/alerts/conditions.test.ts' | 'test/health/warehouse.test.ts' | 'test/app/metrics.test.ts';
}

const inTests: Tested = { by: 'test/alerts/conditions.test.ts' };

/** Fault that brings each condition, by its name. */
export const outages: Readonly<Record<ConditionName, string | Tested>> = {
  'warehouse-failing': 'warehouse-503',
  'credential-refused': 'warehouse-401',
  'warehouse-limiting': 'warehouse-429',
  'warehouse-partly-failing': { by: 'test/health/warehouse.test.ts' },
  'role-missing': { by: 'test/health/warehouse.test.ts' },
  'record-failing': { by: 'test/health/warehouse.test.ts' },
  'destination-failing': 'destination-down',
  'destination-partly-failing': inTests,
  'announcement-failing': inTests,
  'destination-stopped': 'destination-gone',
  quarantine: 'events-renamed',
  'dead-letters': 'destination-down',
  stalled: inTests,
  overdue: inTests,
  'at-risk': inTests,
  'webhooks-stopped': inTests,
  'reconciliation-failing': 'warehouse-503',
  'reconciliation-differences': inTests,
  'listing-limited': inTests,
  'key-unavailable': inTests,
  'certificate-expiring': inTests,
  'disk-nearly-full': 'disk-nearly-full',
  'clock-wrong': inTests,
  'temporal-away': 'temporal-down',
  'queue-unpolled': inTests,
  'search-attributes-missing': inTests,
  stuck: inTests,
  'dockline-away': 'dockline-down',
  unjudged: inTests,
  'store-away': 'postgres-down',
};
