import { setTimeout as pause } from 'node:timers/promises';
import { type Arena, openArena } from './arena.ts';
import { startContender } from './contenders.ts';
import type { Verdict } from './ledger.ts';
import type { Integration } from './results.ts';
import { openSender, type Sender } from './sender.ts';
import type { StubWarehouse } from './stub-warehouse.ts';
import type { Surroundings } from './surroundings.ts';
import { createWorkload, type OrderLoad } from './workload.ts';

/** A contender with everything around it, from the warehouse to the destination. */
export interface System {
  readonly name: Integration;
  readonly arena: Arena;
  readonly sender: Sender;
  readonly signal: AbortSignal;
  /** Signs fresh orders, whose announcements are expected from now on. */
  orders(count: number): Promise<readonly OrderLoad[]>;
  /** Resolves with the time of the last announcement (`performance.now()`). */
  followed(): Promise<number>;
  /** Resolves when the warehouse is not called any more: that may be a while after the last announcement. */
  idle(): Promise<void>;
  /** What came of everything so far. */
  verdict(): Verdict;
}

/** Enough for a burst to come as one. */
const CONNECTIONS = 128;
const PATIENCE_MS = 20_000;
/** It retries nothing for long. */
const PATIENCE_WITH_TEXTBOOK_MS = 5_000;
/** Without a call for so long it is idle; in that time a second announcement would have come, too. */
const IDLE_MS = 600;
const LOOKS = 100;

/** Starts a contender in a fresh process with fresh data and a Temporal server of its own; everything is closed with the given stack. */
export async function openSystem(
  name: Integration,
  { env = {}, ...surroundings }: Surroundings & { readonly env?: Readonly<Record<string, string>> },
  opened: AsyncDisposableStack,
): Promise<System> {
  const { temporalBinary, postgresServer, path, signal } = surroundings;
  const arena = await openArena(opened, temporalBinary);
  const { webhookUrl: url } = await startContender(name, { arena, postgresServer, path, env }, opened);
  const { ledger, warehouse } = arena;
  const sender = openSender({
    ...{ url, connections: CONNECTIONS, signal },
    onSend: ({ orderId, step }) => warehouse.show(orderId, step),
  });
  opened.adopt(sender, (it) => it.close());
  const workload = createWorkload(warehouse);
  return {
    ...{ name, arena, sender, signal },
    async orders(count) {
      const orders = await workload.orders(count);
      for (const [first] of orders) ledger.expect(first?.orderId ?? '');
      return orders;
    },
    followed: () => ledger.complete(name === 'textbook' ? PATIENCE_WITH_TEXTBOOK_MS : PATIENCE_MS, signal),
    idle: () => untilIdle(warehouse, signal),
    verdict: ledger.verdict,
  };
}

async function untilIdle(warehouse: StubWarehouse, signal: AbortSignal): Promise<void> {
  let before = -1;
  for (let looks = 0; looks < LOOKS && warehouse.calls() > before; looks += 1) {
    before = warehouse.calls();
    await pause(IDLE_MS, undefined, { signal });
  }
}
