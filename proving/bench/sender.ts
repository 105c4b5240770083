import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Delivery, OrderLoad } from './workload.ts';

/** Sends webhooks over a fixed number of connections; rejects unless each is answered 2xx. */
export interface Sender {
  /** Sends the webhooks of each order one after the other, `concurrency` orders at a time. */
  paced(orders: readonly OrderLoad[], concurrency: number): Promise<void>;
  /** Sends everything without waiting, first every order's first webhook. */
  burst(orders: readonly OrderLoad[]): Promise<void>;
  /** Sends at a fixed rate, however long the answers take; resolves with the times to them, in milliseconds. */
  steady(deliveries: readonly Delivery[], perSecond: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Opens a sender. It calls `onSend` before each webhook, and sends nothing once the signal is aborted. */
export function openSender({
  url,
  connections,
  onSend = () => {},
  signal,
}: {
  readonly url: string;
  readonly connections: number;
  readonly onSend?: (delivery: Delivery) => void;
  readonly signal?: AbortSignal;
}): Sender {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 120_000 });

  async function send(delivery: Delivery): Promise<number> {
    signal?.throwIfAborted();
    onSend(delivery);
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json; charset=utf-8', signature: delivery.signature };
    const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: delivery.body });
    await body.dump();
    if (statusCode >= 300) throw new Error(`a webhook was answered ${statusCode}`);
    return performance.now() - startedAt;
  }

  return {
    async paced(orders, concurrency) {
      const left = orders.values();
      const lane = async () => {
        for (const order of left) for (const delivery of order) await send(delivery);
      };
      await Promise.all(Array.from({ length: concurrency }, lane));
    },
    async burst(orders) {
      const longest = Math.max(...orders.map(({ length }) => length));
      const waves = Array.from({ length: longest }, (_, step) => orders.flatMap((order) => order[step] ?? []));
      await Promise.all(waves.flat().map(send));
    },
    async steady(deliveries, perSecond) {
      const startedAt = performance.now();
      const pending = deliveries.map(async (delivery, index) => {
        await pause(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()));
        return await send(delivery);
      });
      return await Promise.all(pending);
    },
    close: () => pool.close(),
  };
}
