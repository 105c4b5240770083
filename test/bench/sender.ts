import { Pool } from 'undici';
import type { Delivery, OrderLoad } from './workload.ts';

/** Sends webhooks over so many connections and keeps how long each answer took. */
export interface Sender {
  /** Sends one webhook. Rejects if it is not answered with 2xx. */
  send(delivery: Delivery): Promise<void>;
  /** Each order's webhooks one after the other, so many orders at a time. */
  paced(orders: readonly OrderLoad[], atOnce: number): Promise<void>;
  /** Everything at once, first every order's first webhook. */
  burst(orders: readonly OrderLoad[]): Promise<void>;
  /** How long each answer took since this was last asked, in milliseconds. */
  latencies(): number[];
  close(): Promise<void>;
}

/** Opens a sender to a webhook's address; `onSend` is told before each webhook goes, and none goes once the signal is aborted. */
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
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 120_000 });
  let latencies: number[] = [];

  async function send(delivery: Delivery): Promise<void> {
    signal?.throwIfAborted();
    onSend(delivery);
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json; charset=utf-8', signature: delivery.signature };
    const { statusCode, body } = await pool.request({ method: 'POST', path: pathname, headers, body: delivery.body });
    await body.dump();
    if (statusCode >= 300) throw new Error(`a webhook was answered ${statusCode}`);
    latencies.push(performance.now() - startedAt);
  }

  return {
    send,
    async paced(orders, atOnce) {
      const left = orders.values();
      const lane = async () => {
        for (const order of left) for (const delivery of order) await send(delivery);
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
    },
    async burst(orders) {
      const longest = Math.max(...orders.map(({ length }) => length));
      const waves = Array.from({ length: longest }, (_, step) => orders.flatMap((order) => order[step] ?? []));
      await Promise.all(waves.flat().map(send));
    },
    latencies() {
      const taken = latencies;
      latencies = [];
      return taken;
    },
    close: () => pool.close(),
  };
}
