import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { isDocklineAt, listen, type Place } from '../../http/listen.ts';
import { ok, type Reporter } from './check.ts';

/** As the start does. A port of a running Dockline is fine. */
export async function checkPorts({ check }: Reporter, config: Config): Promise<void> {
  const { WEBHOOK_HOST, WEBHOOK_PORT, METRICS_HOST, METRICS_PORT = 0 } = config;
  // It answers on the port of the webhook, or of the metrics, which every role has.
  const running = Promise.all([isDocklineAt(WEBHOOK_HOST, WEBHOOK_PORT), isDocklineAt(METRICS_HOST, METRICS_PORT)]);
  await Promise.all(
    portsOf(config).map((place) =>
      check(place.variable, `${place.host}:${place.port}`, async () => {
        const server = createServer();
        try {
          await listen(place, async () => await once(server.listen(place), 'listening'));
          return ok(place.port === 0 ? 'any free port is taken' : 'is free');
        } catch (error) {
          if ((await running).includes(true)) return ok('taken: Dockline is running');
          throw error;
        } finally {
          server.close();
        }
      }),
    ),
  );
}

/** Of embedded services only if used. */
function portsOf(config: Config): readonly Place[] {
  const { WEBHOOK_HOST, ADMIN_HOST, CODEC_HOST, METRICS_HOST, TEMPORAL_ADDRESS, tenants, alerts } = config;
  const isSimulated = tenants.length === 0;
  const hasReceiver = isSimulated || tenants.some(({ destinations }) => destinations.length === 0);
  const embeddedIf = (isUsed: boolean) => (isUsed ? '127.0.0.1' : undefined);
  const hosts = {
    WEBHOOK_PORT: WEBHOOK_HOST,
    ADMIN_PORT: ADMIN_HOST,
    CODEC_PORT: CODEC_HOST,
    METRICS_PORT: METRICS_HOST,
    TEMPORAL_METRICS_PORT: METRICS_HOST,
    TEMPORAL_PORT: embeddedIf(!TEMPORAL_ADDRESS),
    TEMPORAL_UI_PORT: embeddedIf(!TEMPORAL_ADDRESS),
    WAREHOUSE_PORT: embeddedIf(isSimulated),
    ANNOUNCE_PORT: embeddedIf(hasReceiver),
    MAILBOX_PORT: embeddedIf(isSimulated && !alerts),
  };
  return (Object.keys(hosts) as (keyof typeof hosts)[]).flatMap((variable) => {
    const [host, port] = [hosts[variable], config[variable]];
    return host === undefined || port === undefined ? [] : [{ variable, host, port }];
  });
}
