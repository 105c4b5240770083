import { createServer, type Socket } from 'node:net';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requestTwice } from '../../src/http/post.ts';
import { listen } from '../support/listen.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Opens a server that is told of each request on a connection, counted from 1, and a client of it. */
async function open(answer: (socket: Socket, place: number) => void) {
  const counts = { connections: 0, requests: 0 };
  const server = createServer((socket) => {
    counts.connections += 1;
    let place = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      counts.requests += 1;
      place += 1;
      answer(socket, place);
    });
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const dispatchers = { kept: new Agent(), fresh: new Agent({ pipelining: 0 }) };
  onTestFinished(async () => void (await Promise.all(Object.values(dispatchers).map((it) => it.destroy()))));
  const send = async (signal?: AbortSignal) => {
    const options = { origin, path: '/', method: 'POST', body: 'x', ...(signal && { signal }) } as const;
    const { body, statusCode } = await requestTwice(dispatchers, options);
    await body.text();
    return statusCode;
  };
  return { counts, origin, dispatchers, send };
}

describe('a request', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['is closed', (socket) => socket.destroy()],
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['ends', (socket) => socket.end()],
  ])('arrives although its connection %s as it is used again', async (_, end) => {
    const { counts, send } = await open((socket, place) => (place === 1 ? socket.write(OK) : end(socket)));
    for (let sent = 0; sent < 10; sent += 1) expect(await send()).toBe(200);
    expect(counts.requests, 'some were sent twice').toBeGreaterThan(10);
  });

  it.each([404, 410, 421])('is sent again on a new connection before a %i is believed', async (status) => {
    const gone = `HTTP/1.1 ${status} Gone\r\ncontent-length: 2\r\n\r\nno`;
    let hasMoved = false;
    const { counts, send } = await open((socket, place) => socket.write(place > 1 && hasMoved ? gone : OK));
    expect(await send()).toBe(200);
    hasMoved = true;
    expect([await send(), await send()]).toEqual([200, 200]);
    expect(counts).toEqual({ connections: 3, requests: 4 });
    const { counts: asked, send: ask } = await open((socket) => socket.write(gone));
    expect(await ask()).toBe(status);
    expect(asked.requests).toBe(2);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['no answer', (socket) => socket.destroy()],
    ['the beginning of one', (socket) => socket.end('HTTP/1.1 200 O')],
  ])('fails if its new connection ends with %s as well', async (_, end) => {
    const { counts, send } = await open(end);
    await expect(send()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(counts).toEqual({ connections: 2, requests: 2 });
  });

  it.each([
    ['that is no HTTP', 'nonsense', undefined],
    ['with a bad header', 'HTTP/1.1 200 OK\r\na b: c\r\n\r\n', undefined],
  ])('is not sent again after an answer %s', async (_, answer) => {
    const { counts, send } = await open((socket) => socket.end(answer));
    await expect(send()).rejects.toThrow();
    expect(counts.requests).toBe(1);
  });

  it('is not sent again if the body of its answer breaks off', async () => {
    const { counts, send } = await open((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok'));
    await expect(send()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(counts.requests).toBe(1);
  });

  it('is not sent again once it is aborted', async () => {
    const controller = new AbortController();
    const { counts, send } = await open((socket) => {
      controller.abort(new Error('canceled'));
      socket.destroy();
    });
    await expect(send(controller.signal)).rejects.toThrow('canceled');
    expect(counts.requests).toBe(1);
  });

  it('is not sent again if nobody takes the connection', async () => {
    const { dispatchers } = await open(() => undefined);
    const options = { origin: 'http://127.0.0.1:1', path: '/', method: 'GET' } as const;
    await expect(requestTwice(dispatchers, options)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
