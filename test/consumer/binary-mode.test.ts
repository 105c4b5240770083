import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { parseBinary } from '../../consumer/src/binary-mode.ts';
import { createConsumer } from '../../consumer/src/consumer.ts';
import { createMemoryStore } from '../../consumer/src/memory-store.ts';
import { parse } from '../../consumer/src/parse.ts';
import { toBinary } from '../../src/announcements/binary-mode.ts';
import { createTestAnnouncement } from '../../src/announcements/test-announcement.ts';

const secret = `whsec_${randomBytes(24).toString('base64')}`;
const lines = readFileSync('test/announcements/examples.jsonl', 'utf8').trim().split('\n');
const [first = '', second = ''] = lines;

/** Sends an announcement in the binary mode, signed by the library of Standard Webhooks. */
function sent(text: string, changed: Readonly<Record<string, string>> = {}) {
  const { headers, body } = toBinary(text);
  const id = JSON.parse(text).id;
  const now = new Date();
  const signed = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body.toString()),
  };
  return [{ ...headers, ...signed, ...changed }, body] as const;
}

function openConsumer() {
  const taken: unknown[] = [];
  const { receive } = createConsumer({
    secrets: [secret],
    store: createMemoryStore(),
    handle: (announcement) => void taken.push(announcement),
  });
  return { receive, taken };
}

describe('an announcement in the binary mode', () => {
  it('is the same as in the structured mode', () => {
    for (const text of lines) expect(parseBinary(...sent(text))).toEqual(parse(Buffer.from(text)));
    const [headers, body] = sent(first);
    expect(parseBinary(new Headers(headers), body)).toEqual(parse(Buffer.from(first)));
  });

  it('is taken once and in order, whichever mode each comes in', async () => {
    const { receive, taken } = openConsumer();
    expect(await receive(...sent(second))).toEqual({ status: 425, outcome: 'early' });
    expect(await receive(...sent(first))).toEqual({ status: 204, outcome: 'taken' });
    const [{ 'webhook-signature': _, ...headers }] = sent(second);
    const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', new Date(), second);
    const structured = { ...headers, 'content-type': 'application/cloudevents+json', 'webhook-signature': signature };
    expect(await receive(structured, Buffer.from(second))).toEqual({ status: 204, outcome: 'taken' });
    expect(await receive(...sent(second))).toEqual({ status: 204, outcome: 'duplicate' });
    expect(taken).toEqual([first, second].map((text) => JSON.parse(text)));
    expect(await receive(...sent(createTestAnnouncement('9104').body))).toEqual({ status: 204, outcome: 'ignored' });
  });

  it.each(['ce-id', 'ce-type', 'ce-source', 'ce-sequence', 'ce-partitionkey'])(
    'is refused if its %s is not what was signed',
    async (name) => {
      const { receive, taken } = openConsumer();
      for (const value of ['9', '%E0%A4%A']) {
        const answer = await receive(...sent(first, { [name]: value }));
        expect(answer).toMatchObject({ status: 401, error: { code: 'ERR_HEADERS' } });
      }
      expect(taken).toEqual([]);
    },
  );

  it('is refused if it is about a subject by its headers alone', async () => {
    const { receive } = openConsumer();
    const changed = { 'ce-sequence': '1', 'ce-partitionkey': 'order:1:1' };
    const answer = await receive(...sent(createTestAnnouncement('9104').body, changed));
    expect(answer).toMatchObject({ status: 401, error: { code: 'ERR_HEADERS' } });
  });

  it('keeps attributes that this version does not know, decoded', () => {
    expect(parseBinary(...sent(first, { 'ce-later': 'gr%C3%BCn' }))).toMatchObject({ later: 'grün' });
  });

  it('may have any JSON as its data', async () => {
    const { receive } = openConsumer();
    const answers = ['null', '7', '[]', '{"revision":{}}', '{'].map((data) => {
      const [headers] = sent(first);
      const now = new Date();
      const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', now, data);
      return receive({ ...headers, 'webhook-signature': signature }, Buffer.from(data));
    });
    for (const answer of await Promise.all(answers)) expect(answer.outcome).toBe('refused');
  });
});
