import { orderItemIdOf } from '../state/order.ts';
import type { SimulatedEvent, Warehouse } from '../warehouse.ts';
import { pause } from '../webhooks/sender.ts';
import type { PlannedEvent, Rates } from './plan.ts';
import { type Cast, type PreparedLife, prepareLives } from './prepared.ts';

/** What to play. */
export interface PlayOptions extends Cast {
  /** How many live at once; by default 8. */
  readonly concurrency?: number;
  /** Called with the number of lives that are over and whose deliveries are settled. */
  readonly onProgress?: (done: number) => void;
}

/** What a player stands on. */
export interface PlayerDeps {
  readonly warehouse: Warehouse;
  readonly seed: number;
  readonly rates: Rates;
  /** The mean pause between two events of one subject. */
  readonly paceMs: number;
  /** Ends all lives. */
  readonly signal: AbortSignal;
}

/** Leads everything through lives that the seed chooses; resolves when all are over and every delivery is settled. */
export async function play(options: PlayOptions, deps: PlayerDeps): Promise<void> {
  const prepared = prepareLives(options, { ...deps, numbering: deps.warehouse.numbering }).values();
  const settlements: Promise<void>[] = [];
  let done = 0;
  const playInTurn = async () => {
    for (const life of prepared) {
      const { settled } = await playLife(life, deps);
      settlements.push(
        settled.then(() => {
          done += 1;
          options.onProgress?.(done);
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 8 }, playInTurn));
  await Promise.all(settlements);
}

interface Waiting {
  readonly event: SimulatedEvent;
  readonly doubled: boolean;
}

/** Resolves when the life is over and everything was sent once; `settled` when nothing is to be sent again. */
async function playLife(plan: PreparedLife, { warehouse, paceMs, signal }: PlayerDeps) {
  const id = warehouse.create(plan);
  const settlements: Promise<unknown>[] = [];
  const held: Waiting[] = [];
  const late: Waiting[] = [];
  const send = async (waiting: readonly Waiting[]) => {
    for (const { event, doubled } of waiting) {
      const { tried, settled } = warehouse.deliver(event, { doubled });
      settlements.push(settled);
      await tried;
    }
  };
  for (const [index, planned] of plan.events.entries()) {
    const { timing, doubled, pause: part } = planned;
    if (signal.aborted) break;
    const event = warehouse.happen(id, { wmsEventId: plan.firstEventId + index, ...toHappening(id, planned) });
    // The newest first: of two that are held in a row, the earlier one waits for the later one.
    if (timing === 'held') held.unshift({ event, doubled });
    if (timing === 'late') late.push({ event, doubled });
    if (timing === 'prompt') await send([{ event, doubled }, ...held.splice(0)]);
    await pause(part * paceMs, signal);
  }
  await send([...held, ...late]);
  return { settled: Promise.all(settlements) };
}

function toHappening(id: string, { name, incomplete, deactivated, line }: PlannedEvent) {
  return {
    name,
    incomplete,
    ...(deactivated !== undefined && { deactivated }),
    ...(line !== undefined && { orderItemId: String(orderItemIdOf(Number(id), line)) }),
  };
}
