import type { Fate } from './ledger.ts';
import { isAccepted, type Message, type Sender } from './sender.ts';

/** The delivery of one event to everyone that it concerns. */
export interface Delivery {
  /** Settles when each message was tried once. */
  readonly tried: Promise<unknown>;
  /** The last status; settles when every message was accepted or given up. */
  readonly settled: Promise<number | null>;
}

/** Sends the messages one after another; `settle` hears once what became of them, unless there are none. */
export function deliver(messages: readonly Message[], sender: Sender, settle: (fate: Fate) => void): Delivery {
  const tried = sendInTurn(messages, sender);
  const settled = tried.then(async (settlements) => {
    const statuses = await Promise.all(settlements.map((settlement) => settlement.status));
    if (statuses.length > 0) settle(statuses.some(isAccepted) ? 'delivered' : 'undelivered');
    return statuses.at(-1) ?? null;
  });
  return { tried, settled };
}

async function sendInTurn(messages: readonly Message[], sender: Sender) {
  const settlements: { readonly status: Promise<number | null> }[] = [];
  for (const message of messages) {
    const sending = sender.send(message);
    settlements.push({ status: sending.settled });
    await sending.tried;
  }
  return settlements;
}
