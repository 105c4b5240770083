import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { command } from '../../proving/faults/fixture/database.ts';
import { databaseUrl } from '../support/postgres.ts';
import { installConsumer } from './installed-consumer.ts';

const [announcement = ''] = readFileSync('test/destinations/announcements/examples.jsonl', 'utf8').split('\n');
const { server = '' } = inject('postgres') ?? {};

it.skipIf(!server)('the example of a function takes what a gateway hands over, once', async () => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const name = `dockline_function_${randomBytes(4).toString('hex')}`;
  await command(server, `create database ${name}`);
  onTestFinished(() => command(server, `drop database ${name} with (force)`));
  const installed = await installConsumer();
  onTestFinished(() => installed.remove());
  vi.stubEnv('ANNOUNCE_SECRET', secret);
  vi.stubEnv('DATABASE_URL', databaseUrl(server, name));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { handler } = await import(join(installed.path, 'gateway-function.ts'));

  const id = JSON.parse(announcement).id;
  const now = new Date();
  const headers = {
    'Webhook-Id': id,
    'Webhook-Timestamp': String(Math.floor(now.getTime() / 1000)),
    'Webhook-Signature': new Webhook(secret).sign(id, now, announcement),
  };
  const body = Buffer.from(announcement).toString('base64');
  for (let n = 0; n < 2; n += 1) expect(await handler({ headers, body })).toEqual({ statusCode: 204 });
  expect(await handler({ headers, body: 'bm90aGluZw==' })).toEqual({ statusCode: 401 });
});
