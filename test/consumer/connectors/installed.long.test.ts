import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { asSent } from '../../../src/destinations/announcements/announced-data.ts';
import { createAnnouncement } from '../../../src/destinations/announcements/cloud-event.ts';
import { packed } from '../../destinations/announcements/announcements.ts';
import { installConsumer } from '../installed-consumer.ts';
import { HERE, startShopify } from './shopify-stub.ts';

const advice = {
  orderNumber: '#1042',
  isShipped: true,
  carrier: { name: 'UPS' },
  trackingNumbers: ['1Z1'],
  lines: [{ lineId: '1', sku: 'MUG', ordered: 10, shipped: 8 }],
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

it('a connector that was installed as its page says fulfills an order that is announced to it, once', async () => {
  const shop = await startShopify({ MUG: 10 });
  const installed = await installConsumer();
  onTestFinished(() => installed.remove());
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const port = await freePort();
  const child = spawn(process.execPath, ['shopify.ts'], {
    cwd: join(installed.path, 'connectors'),
    env: {
      PATH: process.env.PATH,
      ANNOUNCE_SECRET: secret,
      PORT: String(port),
      SHOP_URL: shop.url,
      SHOPIFY_TOKEN: 'shpat_1',
      SHOPIFY_LOCATION: HERE,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  await expect.poll(() => output).toContain(`listening on http://127.0.0.1:${port}`);

  const change = { ...packed.change, milestone: 'confirmed' as const };
  const announcement = createAnnouncement({ ...packed, change, advice: JSON.stringify(advice) });
  const { id, body } = asSent({ ...announcement, previous: null, isReplay: false });
  const send = async () => {
    const now = new Date();
    const headers = {
      'content-type': 'application/cloudevents+json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    };
    return (await fetch(`http://127.0.0.1:${port}/announcements`, { method: 'POST', headers, body })).status;
  };
  shop.fail('orders', 0);
  expect(await send()).toBe(500);
  for (let n = 0; n < 2; n += 1) expect(await send()).toBe(204);
  expect(shop.active()).toEqual([['1Z1', '8 MUG']]);
});
