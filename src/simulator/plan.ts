import { type LifeName, lives, type Step } from './lives.ts';
import type { EventName } from './order-effects.ts';
import { createStream, type Stream } from './random.ts';

/** How often an event's delivery goes wrong, each 0..1 per event. */
export interface Rates {
  /** Sent twice, the same bytes. */
  readonly duplicate: number;
  /** Held until the order's next event was sent. */
  readonly reorder: number;
  /** Sent after the order's life has ended. */
  readonly late: number;
  /** Never sent. */
  readonly drop: number;
}

/** One event of a planned life and what is to become of its delivery. */
export interface PlannedEvent {
  readonly name: EventName;
  readonly incomplete: boolean;
  /** The pause after it, in parts of the mean pause: 0.5 to 1.5. */
  readonly pause: number;
  readonly timing: 'prompt' | 'held' | 'late' | 'never';
  readonly doubled: boolean;
}

/** The whole life of one order, decided before it begins. */
export interface PlannedLife {
  readonly number: number;
  readonly life: LifeName;
  readonly events: readonly PlannedEvent[];
}

/** Decides an order's life from the seed and the order's number alone, so that no other order can change it. */
export function planLife(options: {
  readonly seed: number;
  readonly number: number;
  readonly lives: readonly [LifeName, ...LifeName[]];
  readonly rates: Rates;
}): PlannedLife {
  const stream = createStream(options.seed, `life ${options.number}`);
  const life = stream.pick(options.lives);
  const steps: readonly Step[] = lives[life];
  const lived = steps.filter((step) => stream.chance(0.5) || !step.endsWith('?'));
  return { number: options.number, life, events: lived.map((step) => planEvent(step, stream, options.rates)) };
}

function planEvent(step: Step, stream: Stream, rates: Rates): PlannedEvent {
  const pause = stream.between(500, 1500) / 1000;
  // Every chance is taken, so that one rate does not decide what another one strikes.
  const dropped = stream.chance(rates.drop);
  const late = stream.chance(rates.late);
  const held = stream.chance(rates.reorder);
  const doubled = stream.chance(rates.duplicate);
  return {
    name: step.replace(/[?!]$/, '') as EventName,
    incomplete: step.endsWith('!'),
    pause,
    timing: dropped ? 'never' : late ? 'late' : held ? 'held' : 'prompt',
    doubled: doubled && !dropped,
  };
}
