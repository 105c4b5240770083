import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createBodyReader } from '../../src/ingress/body.ts';
import { listen } from '../support/listen.ts';
import { openConnection } from './raw-connection.ts';

/** Reports whether a chunk still has its memory. */
const isHeld = ({ buffer }: Buffer) => buffer instanceof ArrayBuffer && !buffer.detached;

/** Starts a server that passes its requests to a body reader, and records the results in the order in which they end. */
async function setUp(limits: Parameters<typeof createBodyReader>[0], use: Promise<void> = Promise.resolve()) {
  const read = createBodyReader(limits);
  const outcomes: string[] = [];
  const chunks: Buffer[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    read(request, async (body) => use.then(() => String(body)))
      .catch((error: Error & { readonly statusCode?: number }) => String(error.statusCode))
      .then((outcome) => {
        outcomes.push(outcome);
        response.end();
      });
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  async function start(body: string, length = body.length) {
    const connection = await openConnection(address);
    connection.write(`POST / HTTP/1.1\r\nhost: dockline\r\ncontent-length: ${length}\r\n\r\n${body}`);
    return connection;
  }
  async function startChunks(data: string) {
    const connection = await openConnection(address);
    connection.write(`POST / HTTP/1.1\r\nhost: dockline\r\ntransfer-encoding: chunked\r\n\r\n${data}`);
  }
  return { outcomes, chunks, start, startChunks };
}

describe('a body', () => {
  it('is read whole from any chunks', async () => {
    const { outcomes, start } = await setUp({ bodyLimit: 10 });
    const connection = await start('01234', 10);
    connection.write('56789');
    await expect.poll(() => outcomes).toEqual(['0123456789']);
  });

  it.each([
    ['that is joined', 20, '0123456789'],
    ['that is refused', 7, '503'],
  ])('%s leaves the chunks, which belong to Node, their memory', async (_case, arrivingLimit, outcome) => {
    const { outcomes, chunks, start } = await setUp({ bodyLimit: 10, arrivingLimit });
    const connection = await start('01234', 10);
    await expect.poll(() => chunks.map(isHeld)).toEqual([true]);
    connection.write('56789');
    await expect.poll(() => outcomes).toEqual([outcome]);
    expect(chunks.map(isHeld)).toEqual([true, true]);
  });

  it('may come in slices of a larger buffer', async () => {
    const read = createBodyReader({ bodyLimit: 10 });
    const shared = Buffer.from('0123456789'.repeat(2));
    const request = Object.assign(Readable.from([shared.subarray(0, 5), shared.subarray(5, 10)]), { headers: {} });
    const use = async (body: Buffer) => String(body);
    expect(await read(request as unknown as IncomingMessage, use)).toBe('0123456789');
  });

  it('with a content-length over the limit is refused before it arrives', async () => {
    const { outcomes, start } = await setUp({ bodyLimit: 10 });
    await start('', 11);
    await expect.poll(() => outcomes).toEqual(['413']);
  });

  it('of 5000 chunks is read whole', async () => {
    const { outcomes, start } = await setUp({ bodyLimit: 2_000_000 });
    const connection = await start('', 1_500_000);
    for (let count = 0; count < 5000; count += 1) connection.write(`${count % 10}`.repeat(300));
    await expect.poll(() => outcomes[0]?.length).toBe(1_500_000);
    expect(outcomes[0]?.slice(299 + 300 * 9, 302 + 300 * 9)).toBe('900');
  });

  it('in chunks of one byte is refused', async () => {
    const { outcomes, startChunks } = await setUp({ bodyLimit: 4_000_000 });
    await startChunks('1\r\n \r\n'.repeat(100_000));
    await expect.poll(() => outcomes).toEqual(['400']);
  });

  it('counts as in flight until its use ends', async () => {
    const used = Promise.withResolvers<void>();
    const { outcomes, start } = await setUp({ bodyLimit: 10, arrivingLimit: 15 }, used.promise);
    await start('01234567');
    await start('too-long');
    await expect.poll(() => outcomes).toEqual(['503']);
    used.resolve();
    await expect.poll(() => outcomes).toEqual(['503', '01234567']);
    await start('too-long');
    await expect.poll(() => outcomes.at(-1)).toBe('too-long');
  });

  it('that is truncated is refused', async () => {
    const { outcomes, start } = await setUp({ bodyLimit: 10 });
    const connection = await start('01234', 10);
    connection.abort();
    await expect.poll(() => outcomes).toEqual(['400']);
  });

  it('is refused while too many bytes are in flight, and accepted afterwards', async () => {
    const { outcomes, start } = await setUp({ bodyLimit: 10, arrivingLimit: 15 });
    const slow = await start('01234567', 10);
    // That much of it has come when a short one that would fit is over.
    await start('short');
    await expect.poll(() => outcomes).toEqual(['short']);
    await start('too-long');
    await expect.poll(() => outcomes).toEqual(['short', '503']);
    slow.write('89');
    await expect.poll(() => outcomes).toEqual(['short', '503', '0123456789']);
    await start('too-long');
    await expect.poll(() => outcomes.at(-1)).toBe('too-long');
  });
});
