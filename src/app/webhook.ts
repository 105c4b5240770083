import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../base/logger.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import { serve } from '../http/listen.ts';
import type { Proxies } from '../http/proxies.ts';
import { reprocessQuarantined } from '../inbox/reprocess.ts';
import { createWebhookApp } from '../ingress/app.ts';
import { createReader, type Endpoints, type Read } from '../ingress/endpoints.ts';
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

export const endpointsOf = (
  tenants: readonly TenantSettings[],
  proxies: Proxies,
  logger: Pick<Logger, 'warn'>,
): Endpoints =>
  new Map(tenants.map((tenant) => [tenant.endpoint, { ...protect(tenant, logger, proxies), tenant: tenant.id }]));
