import { expect, it } from 'vitest';
import { startMetrics } from '../../src/app/metrics.ts';
import { openStore } from '../../src/app/store.ts';
import { loadConfig } from '../../src/config/config.ts';
import { scrape, valueIn } from '../observability/metrics/exposition.ts';
import { describeOnPostgres } from '../store/databases.ts';
import { freshReadings } from '../store/fresh-readings.ts';
import { openProxy } from '../support/proxy.ts';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

describeOnPostgres('while the database does not answer', (database) => {
  it('a process is not ready, and its gauges of the store are absent, until it does again', async () => {
    await database.locate();
    const { hostname, port, pathname, username } = new URL(database.direct);
    const proxy = await openProxy(hostname, Number(port || 5432));
    await using opened = new AsyncDisposableStack();
    const url = `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`;
    const store = opened.adopt(await openStore({ url }), (it) => it.close());
    const metrics = await startMetrics({
      config: loadConfig({ METRICS_PORT: '0' }),
      logger,
      store,
      readings: freshReadings(store),
    });
    if (!metrics) return expect.fail('no metrics are served');
    opened.defer(() => metrics.close());
    metrics.begin({ whyNotReady: store.whyUnusable, incidents: async () => [] });

    const seen = async () => {
      const { samples } = await scrape(metrics.url);
      return {
        ready: (await fetch(`${metrics.url}/health/ready`)).status,
        up: valueIn(samples, 'dockline_store_up'),
        unsent: valueIn(samples, 'dockline_announcements_unsent'),
      };
    };
    expect(await seen()).toEqual({ ready: 200, up: 1, unsent: 0 });
    await proxy.cut();
    await expect.poll(seen, { interval: 500 }).toEqual({ ready: 503, up: 0 });
    await proxy.mend();
    await expect.poll(seen, { interval: 500 }).toEqual({ ready: 200, up: 1, unsent: 0 });
  });
});
