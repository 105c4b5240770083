import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../base/logger.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import type { Entry } from '../domain/quarantine.ts';
import { serve } from '../http/listen.ts';
import type { Proxies } from '../http/proxies.ts';
import { reprocessQuarantined } from '../inbox/reprocess.ts';
import { selectQuarantined } from '../inbox/tables/quarantined.ts';
import { createWebhookApp } from '../ingress/app.ts';
import { createReader, type Endpoints, type Read } from '../ingress/endpoints.ts';
import type { Received } from '../ingress/message/delivery.ts';
import { protect } from '../ingress/verification/schemes.ts';
import type { OpenInbox } from './inbox.ts';
import type { PartOptions } from './service-options.ts';

export async function startWebhook(options: PartOptions & { readonly inbox: OpenInbox }) {
  const { config, dependencies, store, logger } = options;
  const { inbox, client, isIdle } = options.inbox;
  const { tenants } = dependencies;
  await using opened = new AsyncDisposableStack();
  const endpoints = endpointsOf(tenants, config, logger);
  const read = readerOf(endpoints, options);
  let isClosing = false;
  const whyNotReady = async () => {
    if (isClosing) return 'This process is stopping.';
    return (await inbox.isReady()) ? await store.whyUnusable() : 'Deliveries cannot be stored.';
  };
  const app = createWebhookApp({
    endpoints,
    read,
    onQuarantined: createRecheck(read, options),
    inbox,
    whyNotReady,
    tracing: options.tracing,
    onAnswered: options.observers?.deliveries([...endpoints.keys()]),
    bodyLimit: config.WEBHOOK_BODY_LIMIT_BYTES,
    requestsPerMinute: config.WEBHOOK_REQUESTS_PER_MINUTE,
    failuresPerMinute: config.WEBHOOK_FAILURES_PER_MINUTE,
    trustedProxies: config.WEBHOOK_TRUSTED_PROXIES,
    logger,
  });
  const { WEBHOOK_HOST: host, WEBHOOK_PORT: port } = config;
  const origin = await serve('WEBHOOK_PORT', { app, host, port });
  opened.adopt(app, (it) => it.close());
  // After the endpoints listen: new deliveries do not wait.
  const reprocessed = await reprocessQuarantined({ rows: store.inbox, read });
  if (reprocessed > 0) logger.warn({ reprocessed }, 'accepted quarantined deliveries that are now understood');
  const urlOf = ({ endpoint }: Pick<TenantSettings, 'endpoint'>) => `${origin}/webhooks/${endpoint}`;
  const [url = origin] = tenants.map(urlOf);
  const running = opened.move();
  return {
    urlOf,
    url,
    client,
    isIdle,
    whyNotReady,
    counts: inbox.counts,
    /** Not ready at once; closes after load balancers have had time to notice. */
    async close() {
      isClosing = true;
      await delay(config.SHUTDOWN_DELAY_MS);
      await running.disposeAsync();
    },
  };
}

export const readerOf = (endpoints: Endpoints, { config, store }: Pick<PartOptions, 'config' | 'store'>): Read =>
  createReader({ endpoints, aliases: config.WEBHOOK_EVENT_ALIASES, accepted: store.eventNames.meanings });

/** The name may have been accepted between reading and storing. */
export function createRecheck(read: Read, { store, logger }: Pick<PartOptions, 'store' | 'logger'>) {
  async function recheck(received: Received, { eventId, quarantineReason }: Entry): Promise<void> {
    if (isDeepStrictEqual((await read(received)).quarantineReason, quarantineReason)) return;
    const quarantinedAfter = selectQuarantined(store.db, { event_id: eventId });
    await reprocessQuarantined({ rows: { ...store.inbox, quarantinedAfter }, read });
  }
  return (received: Received, entry: Entry): void => {
    recheck(received, entry).catch((err: unknown) =>
      logger.warn({ err }, 'cannot read a quarantined delivery again; the next start does'),
    );
  };
}

export const endpointsOf = (
  tenants: readonly TenantSettings[],
  proxies: Proxies,
  logger: Pick<Logger, 'warn'>,
): Endpoints =>
  new Map(tenants.map((tenant) => [tenant.endpoint, { ...protect(tenant, logger, proxies), tenant: tenant.id }]));
