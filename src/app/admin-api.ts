import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Backup } from '../admin/action.ts';
import { createAdminApp } from '../admin/app.ts';
import { createOpenApiDocument } from '../admin/openapi/document.ts';
import type { OpenApi } from '../admin/openapi/open-api.ts';
import { describeData } from '../announcements/data-schema.ts';
import { describeWebhooks } from '../announcements/webhooks.ts';
import { accessTokens } from '../config/admin-tokens.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import { makeFolder } from '../forms/folder.ts';
import type { Health } from '../health/health.ts';
import { serve } from '../http/listen.ts';
import { replayQuarantined } from '../inbox/replay.ts';
import { findMeaning } from '../ingress/message/event-name.ts';
import { createBulkItems } from '../store/bulk-items.ts';
import { createCursor } from '../store/cursor.ts';
import type { Store } from '../store/store.ts';
import { selectQuarantined } from '../store/tables/bodies.ts';
import { createDeadLetters } from '../store/tables/dead-letters.ts';
import { createHurries } from '../store/tables/hurries.ts';
import { createRepeats } from '../store/tables/repeats.ts';
import { isOutage } from '../temporal/connection.ts';
import { createRefreshStart } from '../temporal/refresh-client.ts';
import { createAlertControl, type OpenChannels } from './alert-channels.ts';
import { createDestinationControl } from './destination-control.ts';
import type { OpenInbox } from './inbox.ts';
import { createManagedDestinations } from './managed-destinations.ts';
import { createRecordAccess } from './record-access.ts';
import type { PartOptions } from './service-options.ts';
import { plainAddress, visible } from './visible.ts';
import { endpointsOf, readerOf } from './webhook.ts';

/** Serves the administrative API, and the board, over the store and the workflows. */
export async function startAdminApi(
  options: PartOptions & {
    readonly inbox: OpenInbox;
    readonly channels: OpenChannels | undefined;
    readonly health: Health;
  },
) {
  const { config, dependencies, store, inbox, taskQueue, logger, health } = options;
  const read = readerOf(endpointsOf(dependencies.tenants, config, logger), options);
  const managed = createManagedDestinations(store.destinations, config);
  const app = createAdminApp({
    deadLetters: createDeadLetters(store),
    hurries: createHurries(store),
    erasures: store.erasures,
    notes: store.notes,
    taking: store.taking,
    destinations: createDestinationControl({
      destinations: store.destinations,
      leftOut: store.leftOut,
      managed,
      tenants: dependencies.tenants,
      config,
    }),
    records: createRecordAccess({ leftOut: store.leftOut, managed, tenants: dependencies.tenants }),
    configured: dependencies.tenants.flatMap(showDestinations),
    eventNames: { ...store.eventNames, known: (name) => findMeaning(name, config.WEBHOOK_EVENT_ALIASES) },
    alerts: createAlertControl(store.alerts, options.channels),
    audit: store.audit,
    bulkActions: store.bulk,
    bulkItems: createBulkItems(store),
    repeats: createRepeats(store),
    reads: store.reads,
    health,
    control: inbox.control,
    startRefresh: createRefreshStart({ client: inbox.client, taskQueue }),
    isOutage,
    logger,
    replay: (filter) =>
      replayQuarantined({ rows: { ...store.inbox, quarantinedAfter: selectQuarantined(store.reads, filter) }, read }),
    createOpenApi,
    describeData,
    tokens: accessTokens(config),
    trustedProxies: config.ADMIN_TRUSTED_PROXIES,
    backUp: createBackup(store, config.DATA_FOLDER),
    board: config.BOARD === 'yes' ? boardOf(options) : undefined,
  });
  const { ADMIN_HOST: host, ADMIN_PORT: port } = config;
  const url = await serve('ADMIN_PORT', { app, host, port });
  return { url, close: () => app.close() };
}

/** Creates the OpenAPI document of the administrative API and of the announcements. */
export const createOpenApi = (): OpenApi => createOpenApiDocument(describeWebhooks());

/** Creates backups of the store in the folder `backups` of the data folder, named after their time; undefined for PostgreSQL. */
export function createBackup(
  { backUp, now }: Pick<Store, 'backUp' | 'now'>,
  dataFolder: string,
): (() => Promise<Backup>) | undefined {
  if (!backUp) return undefined;
  return async () => {
    const folder = resolve(dataFolder, 'backups');
    makeFolder(folder);
    const file = join(folder, `dockline-${new Date(now()).toISOString().replaceAll(':', '-')}.db`);
    await backUp(file);
    return { file, bytes: (await stat(file)).size };
  };
}

/** Gathers what the board shows beside the administrative API. */
function boardOf({ config, dependencies, store }: PartOptions) {
  const uiUrl = config.TEMPORAL_UI_URL ?? dependencies.temporal.uiUrl;
  return {
    cursor: createCursor(store),
    now: store.now,
    tenants: dependencies.tenants.map(showTenant),
    hasStageLimits: config.ORDER_STAGE_LIMITS !== 'none',
    guide: dependencies.guide,
    temporalUrl: uiUrl && `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(config.TEMPORAL_NAMESPACE)}`,
  };
}

/** Shows the destinations of a tenant without their secrets. */
const showDestinations = ({ id: tenant, destinations }: TenantSettings) =>
  destinations.map((settings) => ({ tenant, name: settings.name, ...visible(settings) }));

/** Shows a tenant's settings without its secrets: addresses may contain a user, a password or a token. */
function showTenant({ id, endpoint, verification, access, callsPerSecond, destinations }: TenantSettings) {
  return {
    id,
    endpoint,
    callsPerSecond,
    verification: verification.verify,
    warehouse: plainAddress(access.baseUrl),
    destinations: destinations.map(({ name, url }) => ({ name, url: plainAddress(url) })),
  };
}
