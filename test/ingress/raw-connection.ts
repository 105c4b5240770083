import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Bytes received over a connection. */
interface RawAnswer {
  /** Status of each answer, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** Opens a connection for arbitrary bytes, from an address of this machine. */
export async function openConnection(address: string, localAddress = '127.0.0.1') {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // The server may close while the test still writes.
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  const answer = (): RawAnswer => {
    const text = Buffer.concat(chunks).toString();
    return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)) };
  };
  return {
    write: (data: string | Uint8Array) => void socket.write(data),
    /** Writes everything before it reads, as many clients do; resolves even if the server refuses it. */
    async writeFirst(data: Uint8Array): Promise<void> {
      socket.pause();
      await new Promise((resolve) => socket.write(data, resolve));
      socket.resume();
    },
    /** Resets the connection, as a crash does. */
    abort: () => void socket.resetAndDestroy(),
    answer,
    /** Resolves to the statuses once there are so many, or the server has closed the connection. */
    async answered(count: number): Promise<RawAnswer['statuses']> {
      while (answer().statuses.length < count && !socket.closed) await Promise.race([once(socket, 'data'), closed]);
      return answer().statuses;
    },
    /** Resolves once the server has closed the connection. */
    async closed(): Promise<RawAnswer> {
      await closed;
      return answer();
    },
  };
}
