import { onTestFinished } from 'vitest';
import { createInbox } from '../../src/inbox/inbox.ts';
import { createWebhookApp, type WebhookDeps } from '../../src/ingress/app.ts';
import { createReader, type Endpoint, type Endpoints } from '../../src/ingress/endpoints.ts';
import { createOpenVerifier } from '../../src/ingress/verification/none.ts';
import { protect } from '../../src/ingress/verification/protection.ts';
import type { Verifier } from '../../src/ingress/verification/verifier.ts';
import { verification } from '../config/tenants/verification.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';

/** What the endpoint `token` asks for. */
export const TOKEN = 'a-shared-secret-of-some-length';
/** A delivery of the event 9104:1 about the order 7. */
export const message = JSON.stringify({ tplId: 9104, wmsEventId: 1, eventType: 'OrderCreate', data: { OrderId: '7' } });

/** The endpoint `open`, verified as given; `token`, which asks for one; and those of two tenants. */
export const endpointsWith = (open: Verifier = createOpenVerifier()): Endpoints =>
  new Map<string, Endpoint>([
    ['open', { verify: open }],
    ['token', protect({ verification: { ...verification, verify: 'token', token: [TOKEN] }, access: { baseUrl: '' } })],
    ...['9104', '7001'].map((tenant) => [tenant, { verify: createOpenVerifier(), tenant }] as [string, Endpoint]),
  ]);

/** The webhook with an inbox on a disk, until the test is over; `lines` is what it logged. */
export async function openWebhook(deps: Partial<WebhookDeps> & { readonly limit?: number } = {}) {
  const store = await openTemporaryStore();
  const endpoints = endpointsWith();
  const inbox = createInbox({ rows: store.inbox, limit: deps.limit ?? 100 });
  const lines: string[] = [];
  const log = (fields: object, text: string) => void lines.push(JSON.stringify(fields) + text);
  const app = createWebhookApp({
    endpoints,
    read: createReader({ endpoints, aliases: {} }),
    inbox,
    isReady: inbox.isReady,
    bodyLimit: 1000,
    requestsPerMinute: 1000,
    logger: { info: log, warn: log, error: log },
    ...deps,
  });
  onTestFinished(() => app.close());
  const post = (payload: string | Buffer, headers: Record<string, string> = {}, url = '/webhooks/open') =>
    app.inject({ method: 'POST', url, payload, headers });
  return { app, store, inbox, lines, post };
}
