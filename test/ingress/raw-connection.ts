import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** What came back over a connection until the other side closed it. */
export interface RawAnswer {
  /** Of each answer, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** A connection on which a test writes what it likes. */
export async function openConnection(address: string) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // The other side may close while this one still writes.
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  const answer = (): RawAnswer => {
    const text = Buffer.concat(chunks).toString();
    return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)) };
  };
  return {
    write: (data: string | Uint8Array) => void socket.write(data),
    /** Writes all of it before anything is read, as many clients do; resolves also when the other side would not have it. */
    async writeFirst(data: Uint8Array): Promise<void> {
      socket.pause();
      await new Promise((resolve) => socket.write(data, resolve));
      socket.resume();
    },
    /** Ends the connection at once, as a crash does. */
    abort: () => void socket.resetAndDestroy(),
    answer,
    /** Resolves when the other side has closed the connection. */
    async closed(): Promise<RawAnswer> {
      await closed;
      return answer();
    },
  };
}
