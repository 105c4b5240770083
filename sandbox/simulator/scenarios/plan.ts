import { collectionOf, type SubjectKind, subjectKinds } from '../../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../../src/domain/kinds/kinds.ts';
import type { EventName } from '../kinds/kinds.ts';
import { laterOf } from '../kinds/order/shipment.ts';
import { lineCountOf } from '../kinds/order/state.ts';
import { createStream, type Stream } from '../random.ts';
import type { Numbering } from '../state/subject.ts';
import { type OrderScenario, type Scenarios, type Step, scenarios, scenariosNamed } from './scenarios.ts';

/** Rates of delivery faults, each 0 to 1 per event. */
export interface Rates {
  /** Sent twice with the same bytes. */
  readonly duplicate: number;
  /** Held until the subject's next event is sent. */
  readonly reorder: number;
  /** Sent after the subject's last event. */
  readonly late: number;
  /** Never sent. */
  readonly drop: number;
}

/** Event of a plan and the timing of its delivery. */
export interface PlannedEvent {
  readonly name: EventName;
  readonly incomplete: boolean;
  /** Deactivates or reactivates an item. */
  readonly deactivated?: boolean;
  /** Index of the order line that the event is about. */
  readonly line?: number;
  /** Pause after the event as a multiple of the mean pause: 0.5 to 1.5. */
  readonly pause: number;
  readonly timing: 'prompt' | 'held' | 'late' | 'never';
  readonly doubled: boolean;
}

/** Choices that a plan depends on. */
interface PlanOptions {
  readonly seed: number;
  readonly kind: SubjectKind;
  /** Number of the subject within its kind. */
  readonly number: number;
  readonly scenarios: Scenarios;
  readonly rates: Rates;
  /** Its goods are as in a real warehouse. */
  readonly isReal: boolean;
}

/** Everything that will happen to one subject, decided in advance. */
interface Plan extends Pick<PlanOptions, 'kind' | 'number'> {
  readonly scenario: string;
  readonly events: readonly PlannedEvent[];
}

/** Plans a subject's events from its options alone, so that subjects do not affect each other. */
function planSubject({ seed, kind, number, scenarios, rates, isReal }: PlanOptions): Plan {
  // The name of the stream determines the runs of a seed.
  const stream = createStream(seed, kind === mainKind ? `life ${number}` : `life of ${kind} ${number}`);
  const { name: scenario, steps } = stream.pick(scenarios);
  const events = steps
    .filter(({ mark }) => stream.chance(0.5) || mark !== '?')
    .flatMap((step) => expand(step, () => lineCountOf(seed, number, isReal)));
  const isLast = isReal && events.at(-1)?.name === 'OrderConfirm' && laterOf(seed, number) !== undefined;
  if (isLast) events.push({ name: 'OrderUpdate', incomplete: false });
  return { kind, number, scenario, events: events.map((event) => ({ ...event, ...planDelivery(stream, rates) })) };
}

type Expanded = Omit<PlannedEvent, keyof ReturnType<typeof planDelivery>>;

function expand({ name, mark }: Step, countLines: () => number): readonly Expanded[] {
  const event = { name, incomplete: mark === '!' };
  if (mark === '*') return Array.from({ length: countLines() }, (_, line) => ({ ...event, line }));
  return [{ ...event, ...((mark === '-' || mark === '+') && { deactivated: mark === '-' }) }];
}

function planDelivery(stream: Stream, rates: Rates): Pick<PlannedEvent, 'pause' | 'timing' | 'doubled'> {
  const pause = stream.between(500, 1500) / 1000;
  // Every chance is drawn, so that one rate does not decide which events another one affects.
  const dropped = stream.chance(rates.drop);
  const late = stream.chance(rates.late);
  const held = stream.chance(rates.reorder);
  const doubled = stream.chance(rates.duplicate);
  const timing = dropped ? 'never' : late ? 'late' : held ? 'held' : 'prompt';
  return { pause, timing, doubled: doubled && !dropped };
}

/** Number of subjects of each kind to play, each 0 by default: `{ orders: 10, stock: 2 }`. */
export interface Cast extends Readonly<Partial<Record<(typeof collectionOf)[SubjectKind], number>>> {
  /** Scenarios of the orders. Default: all. A scenario named twice is chosen twice as often. */
  readonly scenarios?: readonly OrderScenario[];
}

/** Plan with its event ids. */
export interface NumberedPlan extends Plan {
  readonly firstEventId: number;
}

/** Plans a cast and reserves its numbers, so that timing decides none of them. Each kind is spread over the whole run. */
export function planCast(
  cast: Cast,
  { numbering, ...shared }: { readonly numbering: Numbering } & Pick<PlanOptions, 'seed' | 'rates' | 'isReal'>,
): NumberedPlan[] {
  const planKind = (kind: SubjectKind) => {
    const count = cast[collectionOf[kind]] ?? 0;
    const first = numbering.reserve(kind, count);
    const choices = kind === mainKind ? scenariosNamed(cast.scenarios) : scenarios[kind];
    return Array.from({ length: count }, (_, index) => {
      const plan = planSubject({ ...shared, kind, scenarios: choices, number: first + index });
      const firstEventId = numbering.reserveEventIds(kind, plan.events.length);
      return { plan: { ...plan, firstEventId }, position: index / count };
    });
  };
  const planned = subjectKinds.flatMap(planKind).sort((a, b) => a.position - b.position);
  return planned.map(({ plan }) => plan);
}
