import { type LifeName, lifeNames } from './lives.ts';
import { type PlannedLife, planLife, type Rates } from './plan.ts';
import { pause } from './sender.ts';
import type { SimulatedEvent, Warehouse } from './warehouse.ts';

/** What to play. */
export interface PlayOptions {
  readonly orders: number;
  /** The lives to choose from; by default all. A life named twice is chosen twice as often. */
  readonly lives?: readonly LifeName[];
  /** How many orders live at once; by default 8. */
  readonly concurrency?: number;
  /** Called with the number of orders whose lives are over and whose deliveries are settled. */
  readonly onProgress?: (done: number) => void;
}

/** What a player stands on. */
export interface PlayerDeps {
  readonly warehouse: Warehouse;
  readonly seed: number;
  readonly rates: Rates;
  /** The mean pause between two events of one order. */
  readonly paceMs: number;
  /** Ends all lives. */
  readonly signal: AbortSignal;
}

/** Takes orders through lives that the seed chooses; resolves when all are over and every delivery is settled. */
export async function play(options: PlayOptions, deps: PlayerDeps): Promise<void> {
  const lives = prepareLives(options, deps).values();
  const settlements: Promise<void>[] = [];
  let done = 0;
  const playInTurn = async () => {
    for (const life of lives) {
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

interface PreparedLife extends PlannedLife {
  readonly firstEventId: number;
}

/** Numbers all orders and events before the first one happens, so that timing decides none of them. */
function prepareLives(options: PlayOptions, { warehouse, seed, rates }: PlayerDeps): PreparedLife[] {
  const [first = 'straight', ...rest] = options.lives?.length ? options.lives : lifeNames;
  const firstNumber = warehouse.book.reserve(options.orders);
  return Array.from({ length: options.orders }, (_, index) => {
    const plan = planLife({ seed, rates, lives: [first, ...rest], number: firstNumber + index });
    return { ...plan, firstEventId: warehouse.reserveEventIds(plan.events.length) };
  });
}

interface Waiting {
  readonly event: SimulatedEvent;
  readonly doubled: boolean;
}

/** Resolves when the order's life is over and everything was sent once; `settled` when nothing is to be sent again. */
async function playLife(plan: PreparedLife, { warehouse, paceMs, signal }: PlayerDeps) {
  const orderId = warehouse.createOrder(plan);
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
  for (const [index, { name, incomplete, timing, doubled, pause: part }] of plan.events.entries()) {
    if (signal.aborted) break;
    const event = warehouse.happen(orderId, { wmsEventId: plan.firstEventId + index, name, incomplete });
    // The newest first: of two that are held in a row, the earlier one waits for the later one.
    if (timing === 'held') held.unshift({ event, doubled });
    if (timing === 'late') late.push({ event, doubled });
    if (timing === 'prompt') await send([{ event, doubled }, ...held.splice(0)]);
    await pause(part * paceMs, signal);
  }
  await send([...held, ...late]);
  return { settled: Promise.all(settlements) };
}
