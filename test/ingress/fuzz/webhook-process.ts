import { generateKeyPairSync } from 'node:crypto';
import { argv, exit, memoryUsage } from 'node:process';
import { inspect } from 'node:util';
import { openStore } from '../../../src/app/store.ts';
import { createInbox } from '../../../src/inbox/inbox.ts';
import { createWebhookApp } from '../../../src/ingress/app.ts';
import { createReader, type Endpoint } from '../../../src/ingress/endpoints.ts';
import { protect, type Verification } from '../../../src/ingress/verification/schemes.ts';
import { BODY_BYTES, type Report, SECRET } from './webhook-options.ts';

/** Process of the webhook over a SQLite file, whose endpoint `rsa` has a key of which nobody has the other half. It reports its address, its memory and its log. */
const [, , file = ''] = argv;
const say = (report: Report) => process.send?.(report);
const log = (level: string) => (fields: object, text: string) => say({ line: `${level} ${text} ${inspect(fields)}` });
const logger = { info: log('info'), warn: log('warn'), error: log('error') };

const publicKey = [
  generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString(),
];
const baseUrl = 'http://127.0.0.1:1';
const endpoint = (webhook: Verification): Endpoint => ({ ...protect({ webhook, baseUrl }, logger), tenant: '9104' });
const endpoints = new Map([
  ['hmac', endpoint({ verify: 'hmac-sha256', secret: [SECRET], header: 'x-sum', encoding: 'hex', prefix: '' })],
  ['rsa', endpoint({ verify: 'rsa-sha256', publicKey })],
]);
const store = await openStore({ file });
const app = createWebhookApp({
  endpoints,
  read: createReader({ endpoints, aliases: {}, accepted: async () => ({}) }),
  inbox: createInbox({ rows: store.inbox, limit: 100_000_000 }),
  whyNotReady: store.whyUnusable,
  logger,
  bodyLimit: BODY_BYTES,
  requestsPerMinute: 1_000_000,
  failuresPerMinute: 600,
  trustedProxies: ['127.0.0.1'],
});
say({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
setInterval(() => say({ residentBytes: memoryUsage.rss() }), 50);
process.once('disconnect', () => exit());
