import type { SubjectKind } from '../domain/subject.ts';
import { type LifeName, type Lives, lives } from './lives.ts';
import { type PlannedLife, planLife, type Rates } from './plan.ts';
import { pause } from './sender.ts';
import type { SimulatedEvent, Warehouse } from './warehouse.ts';

/** What to play. */
export interface PlayOptions {
  readonly orders: number;
  /** By default 0, as the other two. */
  readonly receipts?: number;
  readonly adjustments?: number;
  readonly assemblies?: number;
  /** The lives that an order's is chosen from; by default all. A life named twice is chosen twice as often. */
  readonly lives?: readonly LifeName[];
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
  const prepared = prepareLives(options, deps).values();
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

interface PreparedLife extends PlannedLife {
  readonly firstEventId: number;
  /** Where it begins between the first and the last of its kind, 0..1, so that the kinds live beside each other. */
  readonly turn: number;
}

/** Numbers everything and its events before the first one happens, so that timing decides none of them. */
function prepareLives(options: PlayOptions, deps: PlayerDeps): PreparedLife[] {
  return [
    ...prepareKind({ kind: 'order', count: options.orders, choices: livesNamed(options.lives) }, deps),
    ...prepareKind({ kind: 'receipt', count: options.receipts }, deps),
    ...prepareKind({ kind: 'adjustment', count: options.adjustments }, deps),
    ...prepareKind({ kind: 'assembly', count: options.assemblies }, deps),
  ].sort((a, b) => a.turn - b.turn);
}

interface Share {
  readonly kind: SubjectKind;
  readonly count: number | undefined;
  readonly choices?: Lives;
}

function prepareKind({ kind, count = 0, choices = lives[kind] }: Share, deps: PlayerDeps): PreparedLife[] {
  const { warehouse, seed, rates } = deps;
  const { numbering } = warehouse;
  const firstNumber = numbering.reserve(kind, count);
  return Array.from({ length: count }, (_, index) => {
    const plan = planLife({ seed, kind, rates, lives: choices, number: firstNumber + index });
    return { ...plan, firstEventId: numbering.reserveEventIds(kind, plan.events.length), turn: index / count };
  });
}

function livesNamed(names: readonly LifeName[] = []): Lives {
  const [first, ...rest] = names.flatMap((name) => lives.order.filter((life) => life.name === name));
  return first ? [first, ...rest] : lives.order;
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
  for (const [index, { name, incomplete, timing, doubled, pause: part }] of plan.events.entries()) {
    if (signal.aborted) break;
    const event = warehouse.happen(id, { wmsEventId: plan.firstEventId + index, name, incomplete });
    // The newest first: of two that are held in a row, the earlier one waits for the later one.
    if (timing === 'held') held.unshift({ event, doubled });
    if (timing === 'late') late.push({ event, doubled });
    if (timing === 'prompt') await send([{ event, doubled }, ...held.splice(0)]);
    await pause(part * paceMs, signal);
  }
  await send([...held, ...late]);
  return { settled: Promise.all(settlements) };
}
