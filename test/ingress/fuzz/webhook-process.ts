import { argv, cpuUsage, exit, memoryUsage } from 'node:process';
import { inspect } from 'node:util';
import { openStore } from '../../../src/app/store.ts';
import { createInbox } from '../../../src/inbox/inbox.ts';
import { createWebhookApp } from '../../../src/ingress/app.ts';
import { createReader, type Endpoint } from '../../../src/ingress/endpoints.ts';
import { protect, type Verification } from '../../../src/ingress/verification/schemes.ts';
import { BODY_BYTES, type Report, SECRET } from './fuzzed-process.ts';

/** Process of the webhook over a SQLite file, with short time limits. It reports its address, its memory and its log. */
const [, , file = '', baseUrl = ''] = argv;
const say = (report: Report) => process.send?.(report);
const log = (level: string) => (fields: object, text: string) => say({ line: `${level} ${text} ${inspect(fields)}` });
const logger = { info: log('info'), warn: log('warn'), error: log('error') };

const endpoint = (webhook: Verification): Endpoint => ({ ...protect({ webhook, baseUrl }, logger), tenant: '9104' });
const endpoints = new Map([
  ['hmac', endpoint({ verify: 'hmac-sha256', secret: [SECRET], header: 'x-sum', encoding: 'hex', prefix: '' })],
  ['rsa', endpoint({ verify: 'rsa-sha256', publicKey: undefined, keyGraceMs: 0, keyMaxAgeMs: 1000 })],
]);
const store = await openStore({ file });
const inbox = createInbox({ rows: store.inbox, limit: 100_000_000 });
const app = createWebhookApp({
  endpoints,
  read: createReader({ endpoints, aliases: {}, accepted: async () => ({}) }),
  inbox,
  whyNotReady: store.whyUnusable,
  logger,
  bodyLimit: BODY_BYTES,
  requestsPerMinute: 1_000_000,
  failuresPerMinute: 600,
  trustedProxies: ['127.0.0.1'],
});
say({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });

const TICK_MS = 50;
let tick = { at: performance.now(), cpuMs: cpuMs() };
setInterval(() => {
  const next = { at: performance.now(), cpuMs: cpuMs() };
  const idleMs = next.at - tick.at - TICK_MS - (next.cpuMs - tick.cpuMs);
  say({ residentBytes: memoryUsage.rss(), stalledMs: Math.max(0, idleMs) });
  tick = next;
}, TICK_MS);

function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

process.once('disconnect', () => exit());
