import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPorts } from '../../proving/faults/fixture/ports.ts';
import { canRun, installConsumer, startExample } from './installed-consumer.ts';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const [body = ''] = (await readFile('test/destinations/announcements/examples.jsonl', 'utf8')).split('\n');
const { id } = JSON.parse(body);

/** Posts an announcement with these headers of signatures of a time; returns the status. */
async function post(url: string, at: Date, signatures: string | string[]): Promise<number | undefined> {
  const headers = {
    'content-type': 'application/cloudevents+json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures,
    'content-length': Buffer.byteLength(body),
  };
  const sent = request(url, { method: 'POST', headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

describe('two headers with signatures', () => {
  let installed: Awaited<ReturnType<typeof installConsumer>>;
  beforeAll(async () => {
    installed = await installConsumer();
  });
  afterAll(() => installed?.remove());

  it.each(
    ['express-server.ts', 'fastify-server.ts', 'server.py', 'library-server.py', 'server.php', 'go/server.go'].filter(
      canRun,
    ),
  )('are verified by %s if one of them is right', async (file) => {
    const secret = newSecret();
    const [port = 0] = await findPorts(1, randomInt);
    const { url } = await startExample(installed.path, file, secret, port);
    const at = new Date();
    const right = new Webhook(secret).sign(id, at, body);
    const wrong = new Webhook(newSecret()).sign(id, at, body);
    for (const signatures of [[right, wrong], [wrong, right], `${wrong}, ${right}`, `${right},${wrong}`])
      expect(await post(url, at, signatures)).toBe(204);
    for (const signatures of [wrong, [wrong, wrong]]) expect(await post(url, at, signatures)).toBe(401);
  });
});
