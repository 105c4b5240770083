import { onTestFinished } from 'vitest';
import { createInbox } from '../../src/inbox/inbox.ts';
import { createWebhookApp, type WebhookDeps } from '../../src/ingress/app.ts';
import { createReader, type Endpoint, type Endpoints } from '../../src/ingress/endpoints.ts';
import type { Verifier } from '../../src/ingress/verification/scheme.ts';
import { protect } from '../../src/ingress/verification/schemes.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { silent } from './key-server.ts';

/** Secret of the endpoint `token`. */
export const TOKEN = 'a-shared-secret-of-some-length';
/** Delivery of event 9104:1 about order 7. */
export const message = JSON.stringify({ tplId: 9104, wmsEventId: 1, eventType: 'OrderCreate', data: { OrderId: '7' } });

/** Accepts everything. */
const acceptAll: Verifier = async () => 'authentic';

/** Endpoints: `open` with the given verifier, `token` with a secret, and one each of two tenants. */
export const endpointsWith = (open: Verifier = acceptAll): Endpoints =>
  new Map<string, Endpoint>([
    ['open', { verify: open, tenant: '9104' }],
    ['token', { ...protect({ webhook: { verify: 'token', token: [TOKEN] }, baseUrl: '' }, silent), tenant: '9104' }],
    ...['9104', '7001'].map((tenant) => [tenant, { verify: acceptAll, tenant }] as [string, Endpoint]),
  ]);

/** Opens the webhook with an inbox on disk until the test ends; `lines` has its log. */
export async function openWebhook(deps: Partial<WebhookDeps> & { readonly limit?: number } = {}) {
  const store = await openTemporaryStore();
  const endpoints = endpointsWith();
  const inbox = createInbox({ rows: store.inbox, limit: deps.limit ?? 100 });
  const lines: string[] = [];
  const log = (fields: object, text: string) => void lines.push(JSON.stringify(fields) + text);
  const app = createWebhookApp({
    endpoints,
    read: createReader({ endpoints, aliases: {}, accepted: async () => ({}) }),
    inbox,
    whyNotReady: async () => ((await inbox.isReady()) ? await store.whyUnusable() : 'The inbox is closed.'),
    bodyLimit: 1000,
    requestsPerMinute: 1000,
    failuresPerMinute: 600,
    trustedProxies: [],
    logger: { info: log, warn: log, error: log },
    ...deps,
  });
  onTestFinished(() => app.close());
  const post = (payload: string | Buffer, headers: Record<string, string> = {}, url = '/webhooks/open') =>
    app.inject({ method: 'POST', url, payload, headers });
  return { app, store, inbox, lines, post };
}
