import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Tenant } from '../config/tenants/tenant.ts';
import { replayQuarantined } from '../inbox/replay.ts';
import { createWebhookApp } from '../ingress/app.ts';
import { createReader, type Endpoints } from '../ingress/endpoints.ts';
import { openThreadedReader } from '../ingress/threaded-reader.ts';
import { protect } from '../ingress/verification/protection.ts';
import type { Store } from '../store/store.ts';
import type { OpenInbox } from './inbox.ts';
import { listen } from './listen.ts';
import type { ServiceOptions } from './service-options.ts';

/**
 * Lets the heap grow to three times what lives in it before all of it is collected. That stops every webhook for 10 to 20 ms, and
 * V8 would do it for every eighth megabyte or so that a flood of requests leaves: twice a second.
 */
const RARE_COLLECTIONS = '--heap-growing-percent=200';

/** The way in: the webhook before the inbox. */
export async function startIntake(options: ServiceOptions & { readonly store: Store; readonly inbox: OpenInbox }) {
  const { config, dependencies, store, logger } = options;
  const { inbox, client, isIdle } = options.inbox;
  const { tenants } = dependencies;
  setFlagsFromString(RARE_COLLECTIONS);
  await using opened = new AsyncDisposableStack();
  const endpoints = endpointsOf(tenants);
  const rules = { endpoints, aliases: config.WEBHOOK_EVENT_ALIASES };
  const { read } = opened.adopt(openThreadedReader({ ...rules, logger }), (it) => it.close());
  let isLeaving = false;
  const app = createWebhookApp({
    ...{ endpoints, read, inbox },
    isReady: async () => !isLeaving && (await inbox.isReady()),
    bodyLimit: config.WEBHOOK_BODY_LIMIT_BYTES,
    requestsPerMinute: config.WEBHOOK_REQUESTS_PER_MINUTE,
    logger,
  });
  opened.adopt(app, (it) => it.close());
  const { WEBHOOK_HOST: host, WEBHOOK_PORT: port } = config;
  const origin = await listen('WEBHOOK_PORT', port, () => app.listen({ host, port }));
  // Only now, since reading them all must not keep new ones waiting.
  const replayed = await replayQuarantined({ rows: store.inbox, read: createReader(rules) });
  if (replayed > 0) logger.warn({ replayed }, 'quarantined deliveries are understood now and were taken in');
  const urlOf = ({ endpoint }: Pick<Tenant, 'endpoint'>) => `${origin}/webhooks/${endpoint}`;
  const [url = origin] = tenants.map(urlOf);
  const running = opened.move();
  return {
    /** Where a tenant's warehouse sends its webhooks to. */
    urlOf,
    /** Where the first one's does; most installations have no other. */
    url,
    ...{ client, isIdle, counts: inbox.counts },
    /** Says that it is not ready, and closes when whoever asks has had the time to send elsewhere. */
    async close() {
      isLeaving = true;
      await pause(config.SHUTDOWN_DELAY_MS);
      await running.disposeAsync();
    },
  };
}

/** The endpoint of each tenant. */
export const endpointsOf = (tenants: readonly Tenant[]): Endpoints =>
  new Map(tenants.map((tenant) => [tenant.endpoint, { ...protect(tenant), tenant: tenant.id }]));
