import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Target of a flood, what ends it, and what is told of its requests or connections. */
export interface FloodRun {
  readonly url: URL;
  readonly stop: AbortSignal;
  readonly count: (more: number) => void;
}

/** Address of the attacker; the good sender's is another, which must not be shielded by it. */
const ATTACKER = '127.0.0.2';

const WRONG = `signature: ${Buffer.alloc(256, 1).toString('base64')}`;

/** Floods from one address, by name: each repeats one attack as fast as the endpoint lets it, or at a fixed rate. */
export const floods = {
  'unsigned requests, 15,000 a second': (run) => {
    const requests = head(run.url, 'content-length: 0').repeat(15);
    return keepOpen(run, 10, async (socket) => {
      while (!socket.destroyed) {
        if (socket.writableLength === 0) {
          socket.write(requests);
          run.count(15);
        }
        await pause(10);
      }
    });
  },
  'chunks of one byte on 20 connections': (run) => {
    const chunks = head(run.url, WRONG, 'transfer-encoding: chunked') + '1\r\n \r\n'.repeat(100_000);
    return keepOpen(run, 20, sendOnce(run, chunks));
  },
  '5,000 idle connections': (run) =>
    keepOpen(run, 5_000, sendOnce(run, 'GET /health/live HTTP/1.1\r\nhost: dockline\r\n\r\n')),
  'forged bodies of 4 MB on 100 connections': (run) => {
    const body = Buffer.alloc(4_000_000, ' ');
    const start = head(run.url, WRONG, `content-length: ${body.byteLength}`, 'connection: close');
    return keepOpen(run, 100, sendOnce(run, start, body));
  },
} as const satisfies Record<string, (run: FloodRun) => Promise<void>>;

/** Name of a flood. */
export type FloodName = keyof typeof floods;

const head = ({ pathname }: URL, ...headers: readonly string[]): string =>
  `${[`POST ${pathname} HTTP/1.1`, 'host: dockline', ...headers].join('\r\n')}\r\n\r\n`;

const sendOnce =
  ({ count }: FloodRun, ...pieces: readonly (string | Buffer)[]) =>
  async (socket: Socket) => {
    for (const piece of pieces) socket.write(piece);
    count(1);
  };

/** Wait before a closed connection is opened again, for each connection of the flood, in milliseconds. */
const REOPEN_MS = 5;

/** Keeps a number of connections open and hands each to `use` when it is established. */
async function keepOpen(
  { url: { hostname: host, port }, stop }: FloodRun,
  connections: number,
  use: (socket: Socket) => Promise<void>,
): Promise<void> {
  const keep = async (index: number) => {
    for (let waitMs = index / 5; !stop.aborted; waitMs = connections * REOPEN_MS) {
      await pause(waitMs, undefined, { signal: stop }).catch(() => {});
      const socket = connect({ host, port: Number(port), localAddress: ATTACKER, signal: stop });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => {}).resume();
      socket.once('connect', () => void use(socket));
      await closed;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => keep(index)));
}
