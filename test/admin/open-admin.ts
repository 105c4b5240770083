import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { AccessToken } from '../../src/admin/access.ts';
import type { Guide } from '../../src/admin/board/layout.ts';
import { createEndedSessions } from '../../src/admin/board/session.ts';
import { createParts } from '../../src/app/admin-api.ts';
import { createAdminApp } from '../../src/app/admin-app.ts';
import type { Store } from '../../src/app/store.ts';
import { loadConfig } from '../../src/config/config.ts';
import { accessTokens } from '../../src/config/variables/administration.ts';
import { visibleOf } from '../../src/destinations/settings.ts';
import type { Environment } from '../../src/forms/forms.ts';
import type { Health } from '../../src/health/health.ts';
import { createReader } from '../../src/ingress/endpoints.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { createSubjectControl } from '../../src/temporal/subject-client.ts';
import type { Settings } from '../../workflows/messages.ts';
import { openTestHealth } from '../health/sound-machine.ts';
import { unreachable } from '../support/warehouse-variables.ts';
import { checkAnswer } from './openapi/check-answer.ts';

/** Keys with which the secrets of destinations are sealed. */
export const destinationKeys = `first:${Buffer.alloc(32, 1).toString('base64')}`;

/** Alias of an event that earlier, quarantined deliveries did not know. */
const ALIAS = 'OrderShipped=OrderConfirm';

const settings: Settings = {
  gracePeriodMs: 1,
  stageLimitsMs: {},
  signalsPerRun: 1,
  inline: false,
  warehouseTaskQueue: 'nobody',
  announceTaskQueue: 'nobody',
};

const shownTenant = {
  id: '9104',
  endpoint: 'warehouse',
  verification: 'rsa-sha256',
  callsPerSecond: 5,
  warehouse: 'https://warehouse.test',
  destinations: [{ name: 'default', url: 'https://merchant.test/hook' }],
};

export interface AdminOptions {
  readonly store: Store;
  /** Token with all roles. */
  readonly token?: string;
  readonly tokens?: readonly AccessToken[];
  /** By default Temporal is away. No worker polls. */
  readonly temporalAddress?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** Variables that concern destinations. */
  readonly env?: Environment;
  /** Default: none, as in production. */
  readonly guide?: Guide;
  /** Default: that of a machine on which nothing is wrong. */
  readonly health?: Health;
}

/** Serves the administrative API over a store until the test ends. */
export async function openAdmin({
  store,
  token,
  tokens = [],
  temporalAddress = '127.0.0.1:1',
  port = 0,
  env = {},
  guide,
  health = openTestHealth(store),
}: AdminOptions) {
  const logged: string[] = [];
  const config = loadConfig({
    ...unreachable,
    ANNOUNCE_URL: 'https://merchant.test/hook',
    ANNOUNCE_SECRET: `whsec_${'c2VjcmV0'.repeat(4)}`,
    DESTINATION_KEYS: destinationKeys,
    WEBHOOK_EVENT_ALIASES: ALIAS,
    ...env,
  });
  await store.destinations.configure(config.tenants.map(visibleOf));
  // A Temporal that is away is reported at once instead of at the deadline.
  const temporal = openTemporal({ address: temporalAddress, namespace: 'default', retries: false });
  const app = createAdminApp({
    ...createParts({
      store,
      config,
      tenants: config.tenants,
      read: createReader({
        endpoints: new Map([['warehouse', { tenant: '9104' }]]),
        aliases: config.WEBHOOK_EVENT_ALIASES,
        accepted: store.eventNames.meanings,
      }),
    }),
    health,
    tokens: token === undefined ? tokens : accessTokens({ ADMIN_TOKEN: token, ADMIN_TOKENS: tokens }),
    trustedProxies: config.ADMIN_TRUSTED_PROXIES,
    control: createSubjectControl({
      client: temporal.client,
      taskQueue: 'nobody',
      settingsOf: () => settings,
    }),
    board: {
      endedSessions: createEndedSessions(store),
      now: store.now,
      tenants: [shownTenant],
      temporalUrl: 'http://temporal.test/namespaces/default',
      hasStageLimits: false,
      guide,
    },
    logger: pino({ level: 'info' }, { write: (line) => void logged.push(line) }),
  });
  const url = await app.listen({ host: '127.0.0.1', port });
  onTestFinished(async () => {
    await app.close();
    await temporal.close();
  });
  return { url, logged, close: () => app.close(), client: temporal.client, ...callsTo(url) };
}

/** Answer of the API. */
export interface Answer {
  readonly status: number;
  readonly type: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly body: any;
}

/** Creates functions that call the API. */
export function callsTo(url: string) {
  async function call(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(url + path, init);
    const [type = null] = response.headers.get('content-type')?.split(';') ?? [];
    const answer = { status: response.status, type, body: await response.json() };
    const sent = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    checkAnswer({ method: init.method ?? 'GET', path, sent, answer });
    return answer;
  }
  const json = { 'content-type': 'application/json' };
  return {
    call,
    get: (path: string, headers: Readonly<Record<string, string>> = {}) => call(path, { headers }),
    post: (path: string, body?: object) =>
      call(path, { method: 'POST', ...(body && { headers: json, body: JSON.stringify(body) }) }),
    /** Returns all items of a list, page by page. */
    async all(path: string, limit: number) {
      const items: unknown[] = [];
      let next: string | null = null;
      do {
        const after: string = next === null ? '' : `&after=${encodeURIComponent(next)}`;
        const { body } = await call(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${after}`, {});
        items.push(...body.items);
        next = body.next;
      } while (next !== null);
      return items;
    },
  };
}
