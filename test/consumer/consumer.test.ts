import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createConsumer } from '../../consumer/src/consumer.ts';
import { createMemoryStore } from '../../consumer/src/memory-store.ts';

const secret = `whsec_${randomBytes(24).toString('base64')}`;
const [first = '', second = ''] = (await readFile('test/announcements/examples.jsonl', 'utf8')).split('\n');

function signed(text: string, by = secret) {
  const [id, now] = ['any', new Date()];
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  return [{ ...headers, 'webhook-signature': new Webhook(by).sign(id, now, text) }, Buffer.from(text)] as const;
}

function openConsumer(failure?: Error) {
  const taken: string[] = [];
  const consumer = createConsumer({
    ...{ secrets: [secret], store: createMemoryStore() },
    handle({ id }) {
      if (failure) throw failure;
      taken.push(id);
    },
  });
  return { ...consumer, taken };
}

describe('the answer to an announcement', () => {
  it('is 204 once it is taken, and for a copy; 425 for one that is early', async () => {
    const { receive, taken } = openConsumer();
    expect(await receive(...signed(second))).toEqual({ status: 425, outcome: 'early' });
    expect(await receive(...signed(first))).toEqual({ status: 204, outcome: 'taken' });
    expect(await receive(...signed(first))).toEqual({ status: 204, outcome: 'duplicate' });
    expect(await receive(...signed(second))).toEqual({ status: 204, outcome: 'taken' });
    expect(taken).toEqual([JSON.parse(first).id, JSON.parse(second).id]);
  });

  it('is 401 for what is not authentic, and 400 for what is not an announcement, with the reason', async () => {
    const { receive, taken } = openConsumer();
    const stranger = `whsec_${randomBytes(24).toString('base64')}`;
    expect(await receive(...signed(first, stranger))).toMatchObject({ status: 401, error: { code: 'ERR_SIGNATURE' } });
    expect(await receive({}, undefined)).toMatchObject({ status: 401, error: { code: 'ERR_HEADERS' } });
    expect(await receive(...signed('{}'))).toMatchObject({ status: 400, error: { code: 'ERR_MALFORMED' } });
    expect(taken).toEqual([]);
  });

  it('is left to the caller if the handler fails, and the announcement is not taken', async () => {
    const failing = openConsumer(new Error('no database'));
    await expect(failing.receive(...signed(first))).rejects.toThrow('no database');
    await expect(failing.receive(...signed(first))).rejects.toThrow('no database');
  });

  it('is an error if a framework has parsed the body', async () => {
    const [headers] = signed(first);
    await expect(openConsumer().receive(headers, JSON.parse(first))).rejects.toThrow('the bytes as they came');
  });
});
