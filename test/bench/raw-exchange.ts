import { connect } from 'node:net';

/** What is written on a connection of its own. */
export interface RawRequest {
  readonly pieces: readonly (string | Buffer)[];
  /** Nothing more is sent, and the other side is told so. */
  readonly ends?: boolean;
  /** Sent again and again after the rest, slowly. */
  readonly drip?: string;
}

const DRIP_EVERY_MS = 100;
const PATIENCE_MS = 30_000;

/** Resolves with the status of the answer when the connection is closed; undefined where there was none. Never rejects. */
export function exchange(
  address: URL,
  { pieces, ends, drip }: RawRequest,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const port = Number(address.port);
  const socket = connect({ host: address.hostname, port, ...(signal && { signal }) });
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  // The other side may close while this one still writes.
  socket.on('error', () => {});
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), DRIP_EVERY_MS);
  socket.once('close', () => {
    clearInterval(dripping);
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? [];
    resolve(status === undefined ? undefined : Number(status));
  });
  socket.cork();
  for (const piece of pieces) socket.write(piece);
  socket.uncork();
  if (ends) socket.end();
  return promise;
}
