import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Delivery, OrderLoad } from './workload.ts';

/** Sends webhooks over a fixed number of connections and measures the time to each answer. */
export interface Sender {
  /** Resolves with the time to the answer, in milliseconds. Rejects unless it is 2xx. */
  send(delivery: Delivery): Promise<number>;
  /** Sends the webhooks of each order one after the other, `concurrency` orders at a time; resolves with all times. */
  paced(orders: readonly OrderLoad[], concurrency: number): Promise<readonly number[]>;
  /** Sends everything without waiting, first every order's first webhook; resolves with all times. */
  burst(orders: readonly OrderLoad[]): Promise<readonly number[]>;
  /** Sends at a fixed rate, however long the answers take; resolves with all times. */
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
    send,
    async paced(orders, concurrency) {
      const left = orders.values();
      const times: number[] = [];
      const lane = async () => {
        for (const order of left) for (const delivery of order) times.push(await send(delivery));
      };
      await Promise.all(Array.from({ length: concurrency }, lane));
      return times;
    },
    async burst(orders) {
      const longest = Math.max(...orders.map(({ length }) => length));
      const waves = Array.from({ length: longest }, (_, step) => orders.flatMap((order) => order[step] ?? []));
      return await Promise.all(waves.flat().map(send));
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
