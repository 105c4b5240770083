import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Composed } from './compose.ts';
import { limits } from './fuzzed-process.ts';

/** Bytes that a connection received until it was closed. */
export interface Received {
  readonly statuses: readonly number[];
  /** Number of deliveries that were acknowledged. */
  readonly acknowledged: number;
  /** Says that the server answered or closed in time. */
  readonly isInTime: boolean;
  /** Time until everything was sent, or the connection was closed before, in milliseconds. */
  readonly sentMs: number;
}

/** Time after the last byte within which the server has closed a connection: every limit of it, and a margin far beyond for a busy machine. */
const CLOSED_MS = limits.headersMs + limits.bodyMs + limits.idleMs + 120_000;

/** Sends bytes over a new connection, and resolves once the server has closed it. */
export async function converse(
  url: string,
  { fragments }: Composed,
  ending: 'wait' | 'half-close' | 'reset',
): Promise<Received> {
  const { hostname: host, port } = new URL(url);
  const startedAt = performance.now();
  let sentMs = 0;
  const sent = () => {
    sentMs = performance.now() - startedAt;
  };
  const socket = connect({ host, port: Number(port), noDelay: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // The server may close or reset it at any time.
  socket.on('error', () => {});
  const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)));
  await Promise.race([once(socket, 'connect').catch(() => {}), closed]);
  for (const { pauseMs, bytes } of fragments) {
    if (pauseMs > 0) await Promise.race([delay(pauseMs), closed]);
    if (bytes.length > 0 && socket.writable) socket.write(bytes, sent);
  }
  if (ending === 'reset') socket.resetAndDestroy();
  if (ending === 'half-close') socket.end();
  const timer = new AbortController();
  const isInTime = await Promise.race([closed, delay(CLOSED_MS, false, { signal: timer.signal }).catch(() => false)]);
  timer.abort();
  socket.destroy();
  return { ...read(Buffer.concat(chunks).toString('latin1')), isInTime, sentMs };
}

const read = (text: string) => ({
  statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
  acknowledged: text.split('{"status":"accepted"}').length - 1,
});
