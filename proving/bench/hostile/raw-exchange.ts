import { connect } from 'node:net';

/** Bytes for a connection of their own. */
export interface RawRequest {
  readonly pieces: readonly (string | Buffer)[];
  /** Ends the sending side after the pieces. */
  readonly ends?: boolean;
  /** Repeated slowly after the pieces. */
  readonly drip?: string;
}

const DRIP_EVERY_MS = 100;
const PATIENCE_MS = 120_000;

/** Sends from an address of this machine. Resolves with the status of the answer once the connection is closed; undefined without an answer. Never rejects. */
export function exchange(
  { hostname: host, port }: URL,
  { pieces, ends, drip }: RawRequest,
  { signal, from }: { readonly signal?: AbortSignal; readonly from?: string } = {},
): Promise<number | undefined> {
  const socket = connect({ host, port: Number(port), ...(signal && { signal }), ...(from && { localAddress: from }) });
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  // The server may close while this side still writes.
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
