import type { SubjectKind } from '../../../domain/catalogue/subject.ts';
import type { EventName } from '../effects/effects.ts';
import { createStream, type Stream } from '../random.ts';
import { lineCountOf } from '../state/order.ts';
import type { AnyLifeName, Lives } from './scenarios.ts';
import type { Step } from './step.ts';

/** How often an event's delivery goes wrong, each 0..1 per event. */
export interface Rates {
  /** Sent twice, the same bytes. */
  readonly duplicate: number;
  /** Held until the subject's next event was sent. */
  readonly reorder: number;
  /** Sent after the subject's life has ended. */
  readonly late: number;
  /** Never sent. */
  readonly drop: number;
}

/** One event of a planned life and what is to become of its delivery. */
export interface PlannedEvent {
  readonly name: EventName;
  readonly incomplete: boolean;
  /** Of an item that is taken out of use or into use again. */
  readonly deactivated?: boolean;
  /** The index of the order's line that it is about. */
  readonly line?: number;
  /** The pause after it, in parts of the mean pause: 0.5 to 1.5. */
  readonly pause: number;
  readonly timing: 'prompt' | 'held' | 'late' | 'never';
  readonly doubled: boolean;
}

/** The whole life of one subject, decided before it begins. */
export interface PlannedLife {
  readonly kind: SubjectKind;
  /** Its number within its kind. */
  readonly number: number;
  readonly life: AnyLifeName;
  readonly events: readonly PlannedEvent[];
}

/** Decides a life from the seed, the kind and the number alone, so that no other life can change it. */
export function planLife(options: {
  readonly seed: number;
  readonly kind: SubjectKind;
  readonly number: number;
  /** The lives to choose from. */
  readonly lives: Lives;
  readonly rates: Rates;
}): PlannedLife {
  const { seed, kind, number } = options;
  const stream = createStream(seed, kind === 'order' ? `life ${number}` : `life of ${kind} ${number}`);
  const { name: life, steps } = stream.pick(options.lives);
  const lived = steps.filter((step) => stream.chance(0.5) || !isOptional(step));
  const events = lived.flatMap((step) => happeningsOf(step, () => lineCountOf(seed, number)));
  return { kind, number, life, events: events.map((event) => ({ ...event, ...planDelivery(stream, options.rates) })) };
}

const isOptional = (step: Step): boolean => typeof step === 'string' && step.endsWith('?');

type PlannedHappening = Omit<PlannedEvent, keyof ReturnType<typeof planDelivery>>;

function happeningsOf(step: Step, countLines: () => number): readonly PlannedHappening[] {
  if (typeof step !== 'string') return [{ ...step, incomplete: false }];
  const name = step.replace(/[?!*]$/, '') as EventName;
  if (step.endsWith('*')) {
    return Array.from({ length: countLines() }, (_, line) => ({ name, incomplete: false, line }));
  }
  return [{ name, incomplete: step.endsWith('!') }];
}

function planDelivery(stream: Stream, rates: Rates): Pick<PlannedEvent, 'pause' | 'timing' | 'doubled'> {
  const pause = stream.between(500, 1500) / 1000;
  // Every chance is taken, so that one rate does not decide what another one strikes.
  const dropped = stream.chance(rates.drop);
  const late = stream.chance(rates.late);
  const held = stream.chance(rates.reorder);
  const doubled = stream.chance(rates.duplicate);
  return {
    pause,
    timing: dropped ? 'never' : late ? 'late' : held ? 'held' : 'prompt',
    doubled: doubled && !dropped,
  };
}
