import { createEndedSessions } from '../admin/board/session.ts';
import { createBulkItems } from '../bulk/items.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import { accessTokens } from '../config/variables/administration.ts';
import { DestinationControl } from '../destinations/destination-control.ts';
import { createManagedDestinations } from '../destinations/managed-destinations.ts';
import { createRecordAccess } from '../destinations/record-routes.ts';
import { plainAddress } from '../destinations/settings.ts';
import { createRedelivery } from '../destinations/tables/redelivery.ts';
import { createPlacesOf } from '../domain/catalogue/properties.ts';
import type { EventName } from '../domain/quarantine.ts';
import type { Health } from '../health/health.ts';
import { serve } from '../http/listen.ts';
import { reprocessQuarantined } from '../inbox/reprocess.ts';
import { type QuarantinedFilter, selectQuarantined } from '../inbox/tables/quarantined.ts';
import { findMeaning } from '../ingress/message/event-name.ts';
import { readEverything } from '../store/limited-reads.ts';
import { isOutage } from '../temporal/connection.ts';
import { createAdminApp } from './admin-app.ts';
import type { OpenInbox } from './inbox.ts';
import { contextOf, type PartOptions } from './service-options.ts';
import { endpointsOf, readerOf } from './webhook.ts';

export async function startAdminApi(
  options: PartOptions & {
    readonly inbox: OpenInbox;
    readonly health: Health;
  },
) {
  const { config, dependencies, inbox, logger, health } = options;
  const read = readerOf(endpointsOf(dependencies.tenants, config, logger), options);
  const app = createAdminApp({
    ...createParts({ ...options, tenants: dependencies.tenants, read }),
    health,
    control: inbox.control,
    logger,
    tokens: accessTokens(config),
    trustedProxies: config.ADMIN_TRUSTED_PROXIES,
    board: config.BOARD === 'yes' ? boardOf(options) : undefined,
  });
  const { ADMIN_HOST: host, ADMIN_PORT: port } = config;
  const url = await serve('ADMIN_PORT', { app, host, port });
  return { url, close: () => app.close() };
}

export function createParts({
  store,
  config,
  tenants,
  read,
}: Pick<PartOptions, 'store' | 'config'> & {
  readonly tenants: readonly TenantSettings[];
  readonly read: Parameters<typeof reprocessQuarantined>[0]['read'];
}) {
  const managed = createManagedDestinations(store.destinations, config.DESTINATION_KEYS, tenants);
  const { destinations, reads } = store;
  return {
    redelivery: createRedelivery(store),
    erasures: store.erasures,
    notes: store.notes,
    taking: store.taking,
    destinations,
    destinationControl: new DestinationControl({
      destinations,
      reads,
      managed,
      tenants,
      operatorTokens: accessTokens(config).map(({ token }) => token),
      context: contextOf(config),
    }),
    records: createRecordAccess(reads, managed),
    eventNames: {
      ...store.eventNames,
      known: (name: EventName) => findMeaning(name, config.WEBHOOK_EVENT_ALIASES),
    },
    alerts: store.alerts,
    acknowledgements: store.acknowledgements,
    audit: store.audit,
    bulkActions: store.bulk,
    bulkItems: createBulkItems(store),
    reads: readEverything(reads),
    placesOf: createPlacesOf(tenants),
    isOutage,
    reprocess: (filter: QuarantinedFilter) =>
      reprocessQuarantined({ rows: { ...store.inbox, quarantinedAfter: selectQuarantined(reads, filter) }, read }),
  };
}

function boardOf({ config, dependencies, store }: PartOptions) {
  const uiUrl = config.TEMPORAL_UI_URL ?? dependencies.temporal.uiUrl;
  return {
    endedSessions: createEndedSessions(store),
    now: store.now,
    tenants: dependencies.tenants.map(showTenant),
    hasStageLimits: config.ORDER_STAGE_LIMITS !== 'none',
    guide: dependencies.guide,
    temporalUrl: uiUrl && `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(config.TEMPORAL_NAMESPACE)}`,
  };
}

/** Without secrets: addresses may contain a user, a password or a token. */
function showTenant({ id, endpoint, webhook, baseUrl, callsPerSecond }: TenantSettings) {
  return {
    id,
    endpoint,
    callsPerSecond,
    verification: webhook.verify,
    warehouse: plainAddress(baseUrl),
  };
}
