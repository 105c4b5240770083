import type { Config } from '../config.ts';
import type { SubjectKind } from '../domain/subject.ts';
import { createDispatcher } from '../inbox/dispatcher.ts';
import { createInbox } from '../inbox/inbox.ts';
import { replayParked } from '../inbox/replay.ts';
import type { Store } from '../store/store.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { createSubjectClient } from '../temporal/subject-client.ts';
import { createWebhookApp } from '../webhook/app.ts';
import { toEntry } from '../webhook/entry.ts';
import { createOpenVerifier } from '../webhook/none.ts';
import { createRsaVerifier } from '../webhook/rsa-sha256.ts';
import { createTokenVerifier } from '../webhook/token.ts';
import type { Verifier } from '../webhook/verifier.ts';
import { listen } from './listen.ts';
import type { ServiceOptions } from './service.ts';

/** The way in: webhook, inbox and dispatcher. It needs the disk and nothing else; Temporal may be away. */
export async function startIntake(options: ServiceOptions & { readonly store: Store; readonly taskQueue: string }) {
  const { config, places, store, taskQueue, logger } = options;
  await using opened = new AsyncDisposableStack();
  const target = { address: places.temporal.address, namespace: config.TEMPORAL_NAMESPACE };
  const temporal = opened.adopt(openTemporal(target), (it) => it.close());
  const subjects = createSubjectClient({
    client: temporal.client,
    taskQueue,
    settingsOf: (kind) => settingsOf(config, kind),
  });
  const rows = store.inbox;
  const dispatcher = opened.adopt(createDispatcher({ rows, dispatch: subjects.signal, isOutage, logger }), (it) =>
    it.close(),
  );
  dispatcher.start();
  const inbox = opened.adopt(createInbox({ rows, limit: config.INBOX_LIMIT, onWaiting: dispatcher.wake }), (it) =>
    it.close(),
  );
  const reading = { defaultTenant: config.WEBHOOK_DEFAULT_TENANT, aliases: config.WEBHOOK_EVENT_ALIASES };
  const app = createWebhookApp({
    ...reading,
    endpoints: { [config.WEBHOOK_ENDPOINT]: verifierOf(config, places.warehouse.baseUrl) },
    inbox,
    isReady: inbox.isReady,
    bodyLimit: config.WEBHOOK_BODY_LIMIT_BYTES,
    requestsPerMinute: config.WEBHOOK_REQUESTS_PER_MINUTE,
    logger,
  });
  opened.adopt(app, (it) => it.close());
  const { WEBHOOK_HOST: host, WEBHOOK_PORT: port } = config;
  const origin = await listen('WEBHOOK_PORT', port, () => app.listen({ host, port }));
  // Only now, since reading them all must not keep new ones waiting.
  const replayed = await replayParked({ rows, read: (row) => toEntry(row, reading) });
  if (replayed > 0) logger.warn({ replayed }, 'parked deliveries are understood now and were taken in');
  const running = opened.move();
  return {
    url: `${origin}/webhooks/${config.WEBHOOK_ENDPOINT}`,
    client: temporal.client,
    counts: inbox.counts,
    isIdle: dispatcher.idle,
    close: () => running.disposeAsync(),
  };
}

const settingsOf = (config: Config, kind: SubjectKind) => ({
  quietPeriodMs: config.QUIET_PERIOD_MS,
  stageLimitsMs: kind === 'order' ? config.ORDER_STAGE_LIMITS : {},
  signalsPerRun: config.SIGNALS_PER_RUN,
});

function verifierOf({ WEBHOOK_VERIFY: choice, WEBHOOK_TOKEN: token }: Config, baseUrl: string): Verifier {
  if (choice === 'token' && token) return createTokenVerifier({ token });
  return choice === 'none' ? createOpenVerifier() : createRsaVerifier({ baseUrl });
}
