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

/** Of another subject, since the receivers keep what they have taken of the first. */
const shippedId = id.replace(':9104:', ':9105:');
const shipped = JSON.stringify({
  ...JSON.parse(body),
  id: shippedId,
  partitionkey: shippedId.split('/')[0],
  data: {
    ...JSON.parse(body).data,
    tenant: '9105',
    previous: null,
    advice: {
      trackingNumbers: ['1Z1', '1Z2'],
      lines: [
        { sku: 'MUG', ordered: 12.5, shipped: 10 },
        { sku: 'TEA', ordered: 2, shipped: 0 },
      ],
    },
  },
});

/** Posts an announcement with these headers of signatures of a time; returns the status. */
async function post(
  url: string,
  at: Date,
  signatures: string | string[],
  sentBody = body,
): Promise<number | undefined> {
  const sentId: string = JSON.parse(sentBody).id;
  const headers = {
    'content-type': 'application/cloudevents+json',
    'webhook-id': sentId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures,
    'content-length': Buffer.byteLength(sentBody),
  };
  const sent = request(url, { method: 'POST', headers });
  sent.end(sentBody);
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

  it.each(['server.py', 'server.php', 'go/server.go'].filter(canRun))(
    '%s prints what was ordered and shipped of each line, and the tracking numbers',
    async (file) => {
      const secret = newSecret();
      const [port = 0] = await findPorts(1, randomInt);
      const { url, output, stop } = await startExample(installed.path, file, secret, port);
      const at = new Date();
      expect(await post(url, at, new Webhook(secret).sign(shippedId, at, shipped), shipped)).toBe(204);
      await expect.poll(output).toMatch(/MUG 12\.5 10\n +TEA 2 0\n +1Z1 1Z2\n/);
      await stop();
    },
  );
});
