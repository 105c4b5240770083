import { buildConnector } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAgent } from '../../../src/http/agent.ts';
import { createTransport } from '../../../src/warehouse/client/transport.ts';
import { startRecordingServer } from '../recording-server.ts';

/** A transport whose connections open when the test says so, and what it has done. */
async function open() {
  const { url: baseUrl, requests } = await startRecordingServer(() => ({}));
  const connect = buildConnector({});
  const mayConnect = Promise.withResolvers<void>();
  const dispatcher = createAgent({
    connect: (options, callback) => void mayConnect.promise.then(() => connect(options, callback)),
  });
  onTestFinished(() => dispatcher.close());
  const began: number[] = [];
  const send = createTransport({ baseUrl, dispatcher, timeoutMs: 10_000 });
  const call = (signal?: AbortSignal, onBegin = () => void began.push(requests.length)) =>
    send({ method: 'GET', path: '/orders/1', headers: {}, ...(signal && { signal }), onBegin });
  return { call, began, requests, mayConnect };
}

describe('a call', () => {
  it('begins once its connection is open, immediately before it is sent', async () => {
    const { call, began, mayConnect } = await open();
    const answer = call();
    await new Promise(setImmediate);
    expect(began).toEqual([]);
    mayConnect.resolve();
    await answer;
    expect(began).toEqual([0]);
  });

  it('that was given up before never begins', async () => {
    const { call, began, mayConnect } = await open();
    const controller = new AbortController();
    const answer = call(controller.signal);
    controller.abort(new Error('given up'));
    mayConnect.resolve();
    await expect(answer).rejects.toThrow('given up');
    await call();
    expect(began).toEqual([0]);
  });

  it('that may not begin any more is not sent', async () => {
    const { call, requests, mayConnect } = await open();
    mayConnect.resolve();
    const reason = new Error('too late');
    const answer = call(undefined, () => {
      throw reason;
    });
    await expect(answer).rejects.toMatchObject({ cause: reason });
    await call();
    expect(requests).toHaveLength(1);
  });
});
