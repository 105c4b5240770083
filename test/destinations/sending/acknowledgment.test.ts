import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDestination } from '../../../src/destinations/kinds/http.ts';
import { listen } from '../../support/listen.ts';
import { never } from '../../warehouse/open-warehouse.ts';
import { outgoingOf, packed, secret } from '../announcements/announcements.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n';

/** Far beyond what a body may take, so that a test which waits for one fails by its own limit. */
const TIMEOUT_MS = 3_600_000;

/** Opens a destination whose server does as it likes once a request has arrived, counted from 1. */
async function open(answer: (socket: Socket, request: number) => void) {
  const counts = { requests: 0, connections: 0 };
  const server = createServer((socket) => {
    counts.connections += 1;
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', () => answer(socket, ++counts.requests));
  });
  const url = `http://127.0.0.1:${await listen(server)}/in`;
  const destination = createDestination({ url, secret: [secret], timeoutMs: TIMEOUT_MS, allowedAddresses: [] });
  onTestFinished(() => destination.close());
  return { counts, send: () => destination.send(outgoingOf(packed), never) };
}

/** Writes again and again until the connection is closed. */
function goOn(socket: Socket, bytes: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(bytes), everyMs);
  socket.on('close', () => clearInterval(timer));
}

describe('an acknowledgment', () => {
  it.each<[string, (socket: Socket) => void]>([
    [
      'comes after 100 Continue',
      (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
    ],
    [
      'drips',
      (socket) => {
        socket.write(`${HEAD}content-length: 1000000\r\n\r\n`);
        goOn(socket, 'x', 20);
      },
    ],
    [
      'drips in chunks, some kilobytes in',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n1000\r\n${'x'.repeat(0x1000)}\r\n`);
        goOn(socket, '1\r\nx\r\n', 20);
      },
    ],
    ['never comes', (socket) => socket.write(`${HEAD}content-length: 10\r\n\r\n`)],
    ['has no length, and no end', (socket) => socket.write(`${HEAD}\r\n`)],
    [
      'never ends',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        goOn(socket, `10000\r\n${'x'.repeat(0x10000)}\r\n`, 1);
      },
    ],
    ['is of HTTP/1.0', (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nok')],
    ['breaks off', (socket) => socket.end(`${HEAD}content-length: 10\r\n\r\nok`)],
    ['is no chunk', (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nwhatever\r\n`)],
    [
      'ends with trailers',
      (socket) => socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx: y\r\n\r\n`),
    ],
    ['comes with a 204', (socket) => socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok')],
    ['ends the connection', (socket) => socket.end(`${HEAD}connection: close\r\ncontent-length: 2\r\n\r\nok`)],
  ])('is its status, whose body %s', async (_, answer) => {
    const { counts, send } = await open(answer);
    for (let sent = 1; sent <= 3; sent += 1) {
      expect(await send()).toMatchObject({ status: expect.toBeOneOf([200, 204]) });
      expect(counts.requests).toBe(sent);
    }
  });

  it('may come before the request was read', async () => {
    const { send } = await open((socket) => {
      socket.pause();
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
    });
    await expect(send()).rejects.toMatchObject({ status: 401 });
  });

  it.each<[string, string]>([
    ['no more than a status line', HEAD],
    ['only 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('is none with %s, for which another connection is tried', async (_, answer) => {
    const { counts, send } = await open((socket) => socket.end(answer));
    await expect(send()).rejects.toMatchObject({ code: 'ERR_DESTINATION_UNREACHABLE' });
    expect(counts).toEqual({ requests: 2, connections: 2 });
  });

  it.each([
    ['two lengths', `${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\nok`],
    ['a length and chunks', `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
    ['no HTTP', 'whatever\r\n'],
  ])('is none with %s, and another connection would not help', async (_, answer) => {
    const { counts, send } = await open((socket) => socket.end(answer));
    await expect(send()).rejects.toMatchObject({ code: 'ERR_DESTINATION_UNREACHABLE' });
    expect(counts.requests).toBe(1);
  });
});
