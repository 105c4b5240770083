import { orderItemIdOf } from '../kinds/order/state.ts';
import type { SimulatedEvent, Warehouse } from '../warehouse.ts';
import { pause } from '../webhooks/sender.ts';
import { type Cast, type NumberedPlan, type PlannedEvent, planCast, type Rates } from './plan.ts';

/** Subjects to play. */
export interface PlayOptions extends Cast {
  /** Number of subjects that are played at the same time. Default: 8. */
  readonly concurrency?: number;
  /** Receives the number of subjects whose scenario has ended and whose deliveries are settled. */
  readonly onProgress?: (done: number) => void;
}

export interface PlayerDeps {
  readonly warehouse: Warehouse;
  readonly seed: number;
  readonly rates: Rates;
  /** Mean pause between two events of one subject, in milliseconds. */
  readonly paceMs: number;
  /** Ends all scenarios early. */
  readonly signal: AbortSignal;
}

/** Plays scenarios that the seed chooses. Resolves when all have ended and every delivery is settled. */
export async function play(options: PlayOptions, deps: PlayerDeps): Promise<void> {
  const plans = planCast(options, {
    ...deps,
    numbering: deps.warehouse.numbering,
    isReal: deps.warehouse.isReal(),
  }).values();
  const settlements: Promise<void>[] = [];
  let done = 0;
  const playInTurn = async () => {
    for (const plan of plans) {
      const { settled } = await playSubject(plan, deps);
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

/** Resolves when everything was sent once; `settled` when nothing is to be sent again. */
async function playSubject(plan: NumberedPlan, { warehouse, paceMs, signal }: PlayerDeps) {
  const id = warehouse.create(plan.kind, plan.number, { scenario: plan.scenario });
  const settlements: Promise<unknown>[] = [];
  const held: Waiting[] = [];
  const late: Waiting[] = [];
  const send = async (waiting: readonly Waiting[]) => {
    for (const { event, doubled } of waiting) {
      const { tried, settled } = warehouse.deliver(event, doubled);
      settlements.push(settled);
      await tried;
    }
  };
  for (const [index, planned] of plan.events.entries()) {
    const { name, timing, doubled } = planned;
    if (signal.aborted) break;
    const event = warehouse.emit(id, { name, wmsEventId: plan.firstEventId + index, ...detailsOf(id, planned) });
    // Newest first: of two events that are held in a row, the earlier one waits for the later one.
    if (timing === 'held') held.unshift({ event, doubled });
    if (timing === 'late') late.push({ event, doubled });
    if (timing === 'prompt') await send([{ event, doubled }, ...held.splice(0)]);
    await pause(planned.pause * paceMs, signal);
  }
  await send([...held, ...late]);
  return { settled: Promise.all(settlements) };
}

function detailsOf(id: string, { incomplete, deactivated, line }: PlannedEvent) {
  return {
    incomplete,
    ...(deactivated !== undefined && { deactivated }),
    ...(line !== undefined && { orderItemId: String(orderItemIdOf(Number(id), line)) }),
  };
}
