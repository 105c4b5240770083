import { z } from 'zod';
import { directHosts, duration, pairs, port, proxyAddress, rate, timeout } from '../../forms/forms.ts';
import { accessForms, clientForms } from '../../warehouse/settings.ts';
import { namesOf, variablesOf } from '../setting-variables.ts';

export const scenarioNames = ['everyday', 'first-day', 'quiet-faults'] as const;

export const simulator = {
  SIMULATOR_SEED: z.coerce
    .number()
    .int()
    .default(1)
    .describe(
      'The simulated warehouse: the seed of its run, and how often events are doubled, reordered, late or dropped (0 to 1).',
    ),
  SIMULATOR_DUPLICATE_RATE: rate.default(0.1),
  SIMULATOR_REORDER_RATE: rate.default(0.1),
  SIMULATOR_LATE_RATE: rate.default(0),
  SIMULATOR_DROP_RATE: rate.default(0),
  SIMULATOR_SCENARIO: z
    .enum(scenarioNames)
    .default('everyday')
    .describe(
      'What the simulated warehouse is like: everyday; first-day, which has all at once that may surprise on the first day with a real one; or quiet-faults, in which it and the receiver lie in every way they know.',
    ),
  SIMULATOR_MANNERS: pairs(/^\w+=.+$/, 'wrapped=true,spelling=label').describe(
    'Ways of the simulated warehouse, over those of its scenario; npx dockline simulator --help lists them.',
  ),
};

export const warehouseForms = { ...accessForms, ...clientForms };

export const warehouseNames = namesOf('WAREHOUSE', Object.keys(warehouseForms) as (keyof typeof warehouseForms)[]);

/** The schema of tenants describes them. */
export const warehouse = {
  ...variablesOf(warehouseNames, (key) => [warehouseForms[key]]),
  // Read beside the setting, or of a form of its own.
  WAREHOUSE_BASE_URL: z
    .string()
    .optional()
    .describe(`${warehouseForms.baseUrl.description} Unset: the simulated warehouse, on WAREHOUSE_PORT.`),
  WAREHOUSE_TENANT: z
    .string()
    .optional()
    .describe(
      'The tplId of the warehouse account. Messages without one belong to it, and those that name another are quarantined. Required with WAREHOUSE_BASE_URL.',
    ),
  WAREHOUSE_PATHS: z
    .string()
    .optional()
    .describe(
      "Paths of the warehouse's API that differ from Dockline's, each with the same ids in braces: getAdjustment=/inventory/adjustments/{id},… A path may have a query for sections that the specification does not show: getItem=/customers/{customerId}/items/{id}?detail=All",
    ),
  WAREHOUSE_PROPERTIES: z
    .string()
    .optional()
    .describe(
      "Properties of its filters, and of its records' own ids, that differ: order.changed=readOnly.lastModifiedDate,… docs/dockline.schema.json lists all.",
    ),
  WAREHOUSE_ALLOW_HTTP: z
    .enum(['yes', 'no'])
    .default('no')
    .describe(
      'An address of a warehouse with plain http is refused beyond loopback unless this is yes: the credential and tokens travel there.',
    ),
  WAREHOUSE_TIMEOUT_MS: timeout
    .default(10_000)
    .describe(
      'Timeout of one GET, at most 30000. One that only enriches announcements, as of a customer or user, has 15 % of it.',
    ),
  WAREHOUSE_OUTAGE_MS: duration()
    .default(300_000)
    .describe(
      'Time for which the GET of a subject may fail before its events are announced with the resource in their messages, if they have it.',
    ),
  WAREHOUSE_READ_LAG_MS: duration()
    .optional()
    .describe(
      'Age of a report up to which a GET may lag behind it: what it contradicts is taken back only after another GET. Unset: 15000, or 3000 with the simulated warehouse.',
    ),
  WAREHOUSE_PORT: port.default(8080).describe('Port of the simulated warehouse.'),
};

export const proxies = {
  HTTP_PROXY: proxyAddress
    .optional()
    .describe(
      'The proxy through which the warehouse and destinations are reached, http://user:password@host:port; the names in lower case count as well. HTTP_PROXY is for http, and for https where HTTPS_PROXY is unset.',
    ),
  HTTPS_PROXY: proxyAddress.optional(),
  NO_PROXY: directHosts
    .prefault('')
    .describe(
      'What is reached directly: names with everything below them and addresses, each also with a port, ranges such as 10.0.0.0/8, or *. This machine itself always is.',
    ),
};

export const retries = {
  RETRY_SLOW_MS: duration()
    .default(60_000)
    .describe('The backoff of failures that only a person can fix (a role, a credential).'),
};
