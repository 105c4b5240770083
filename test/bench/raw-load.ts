import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Delivery } from './workload.ts';

/** The bytes of a webhook as a request to a path. */
export function requestOf({ body, signature }: Delivery, path: string): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: dockline',
    'content-type: application/json; charset=utf-8',
    `signature: ${signature}`,
    `content-length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/**
 * Sends requests over so many connections, each the next one once it has its answer, and returns how many were answered in a second,
 * from the first answer to the last. Rejects if one is not answered with 2xx.
 */
export async function sendRaw(origin: string, requests: readonly Buffer[], connections: number): Promise<number> {
  const { hostname: host, port } = new URL(origin);
  const left = requests.values();
  let firstAt = 0;
  // Bytes that were written before: a client's own work would be most of what is measured of a webhook that does nothing.
  const lane = async () => {
    const socket = connect({ host, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    const exchange = createExchange(socket);
    for (const request of left) {
      await exchange(request);
      firstAt ||= performance.now();
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return ((requests.length - 1) / (performance.now() - firstAt)) * 1000;
}

const ANSWER = /^HTTP\/1\.1 2\d\d .*?\r\ncontent-length: (\d+)\r\n.*?\r\n\r\n/is;
const END_OF_HEAD = '\r\n\r\n';

/** Sends one request after the other; each resolves with the end of its answer. */
function createExchange(socket: Socket): (request: Buffer) => Promise<void> {
  let answer = '';
  let pending = Promise.withResolvers<void>();
  const fail = (why: string) => pending.reject(new Error(`a webhook was not taken: ${why}`));
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
    const [head, length] = ANSWER.exec(answer) ?? [];
    if (head !== undefined && answer.length >= head.length + Number(length)) pending.resolve();
    else if (head === undefined && answer.includes(END_OF_HEAD)) fail(answer);
  });
  socket.once('error', ({ message }) => fail(message));
  socket.once('close', () => fail('the connection was closed'));
  return (request) => {
    answer = '';
    pending = Promise.withResolvers();
    socket.write(request);
    return pending.promise;
  };
}
