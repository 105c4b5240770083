import { type SubjectKind, type SubjectRef, subjectKinds } from '../../../src/domain/catalogue/subject.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import type { StockLevels } from '../../../src/domain/lifecycle/snapshot.ts';
import type { Stage } from '../../../src/domain/lifecycle/stage.ts';
import { type EventName, kindOf, type StateOf, type SubjectState } from '../kinds/kinds.ts';
import type { EventDetails } from './entry.ts';
import { applyEvent, entryOf, orderItemIdIn } from './events.ts';
import { trueStage } from './subject.ts';

/** Result of the deliveries of an event: accepted, never sent, or not accepted so far. */
type Fate = 'delivered' | 'dropped' | 'undelivered';

/** Event that happened. */
interface EventTruth {
  /** `tplId:wmsEventId`. */
  readonly id: string;
  readonly name: string;
  readonly milestone: Milestone;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Order line that the event is about. */
  readonly orderItemId?: string;
  /** Its messages had no id that identifies it. */
  readonly isUnnamed?: true;
  /** Time at which a message with the resource was first accepted, in milliseconds since the epoch. */
  readonly shownAt?: number;
  /** Time from the first accepted message of the event to that one, in milliseconds. */
  readonly shownAfterMs?: number;
  readonly fate: Fate;
}

/** Facts about the messages of an event. */
type Notes = Pick<EventTruth, 'isUnnamed' | 'shownAt' | 'shownAfterMs'>;

/** True history of a subject, whatever was delivered. */
export interface SubjectTruth extends SubjectRef {
  /** Scenario that was played; null for a subject that a caller controls. */
  readonly scenario: string | null;
  readonly stage: Stage;
  /** Present for stock only. */
  readonly levels?: StockLevels;
  /** In the order in which they happened. */
  readonly events: readonly EventTruth[];
}

/** State of a subject and the time since which it holds, in milliseconds since the epoch. */
export interface Dated {
  readonly state: SubjectState;
  readonly since: number;
}

interface Page {
  /** From the oldest to the current one, each with the time since which it holds, in milliseconds since the epoch. */
  readonly states: [Dated, ...Dated[]];
  readonly number: number;
  readonly scenario: string | null;
  readonly events: Omit<EventTruth, 'fate' | keyof Notes>[];
}

/** Opens an empty book of the subjects of a tenant's warehouse with their history. Ids are unique across kinds. */
export function createBook(tenant: string) {
  const pages = new Map<string, Page>();
  const wholes = new Map<number, number | string>();
  const fates = new Map<string, Fate>();
  const notes = new Map<string, Notes>();
  const pageOf = (id: number | string) => {
    const page = pages.get(String(id));
    if (!page) throw new Error(`Nothing with the id ${id} in the simulator`);
    return page;
  };
  return {
    /** Adds a subject and returns its id. Throws if the id exists. */
    add(state: SubjectState, origin: Pick<Page, 'number' | 'scenario'>): string {
      const id = String(state.id);
      if (pages.has(id)) throw new Error(`${state.kind} ${id} is in the simulator already`);
      pages.set(id, { states: [{ state, since: Date.now() }], ...origin, events: [] });
      return id;
    },
    /** Returns a subject, deleted or not, as it was at a time; undefined if there was none. */
    find(id: number | string, at: number): SubjectState | undefined {
      const page = pages.get(String(id));
      return page && stateOf(page, at);
    },
    /** Returns the id of the subject that a part belongs to; undefined for an unknown part. */
    wholeOf: (partId: number) => wholes.get(partId),
    /** Returns a subject as it is, and throws if the id is unknown. */
    get: (id: number | string) => currentOf(pageOf(id)),
    /** Lists the subjects of a kind that are not deleted, or were not at a time, by id. */
    list: <K extends SubjectKind>(kind: K, at?: number) =>
      [...pages.values()]
        .map((page) => stateOf(page, at))
        .filter((state): state is StateOf<K> => state?.kind === kind && !state.deleted)
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    /** Applies and records an event whose delivery has not been tried. */
    apply(
      id: string,
      event: { readonly id: string; readonly name: EventName; readonly time: number },
      details: EventDetails,
    ) {
      const page = pageOf(id);
      const state = applyEvent(currentOf(page), event.name, { ...details, time: event.time });
      const orderItemId = orderItemIdIn(state, event.name, details.orderItemId);
      const { milestone } = entryOf(event.name);
      page.states.push({ state, since: Date.now() });
      for (const part of kindOf(state.kind).parts?.(state) ?? []) wholes.set(part, state.id);
      page.events.push({ ...event, milestone, ...(orderItemId !== undefined && { orderItemId }) });
      return { state, orderItemId };
    },
    /** Records the result of a delivery; a delivered event stays delivered. */
    settle(eventId: string, fate: Fate) {
      if (fates.get(eventId) !== 'delivered') fates.set(eventId, fate);
    },
    /** Notes something about the messages of an event; what was noted first stays. */
    note(eventId: string, more: Notes) {
      notes.set(eventId, { ...more, ...notes.get(eventId) });
    },
    /** Returns a subject in every state that it had, each with the time since which it holds; none for an unknown one. */
    history: (id: number | string): readonly Dated[] => pages.get(String(id))?.states ?? [],
    /** Returns the history of every subject, by kind and number. */
    truth: (): readonly SubjectTruth[] =>
      [...pages.values()]
        .map((page) => ({ ...page, state: currentOf(page) }))
        .sort((a, b) => rankOf(a.state) - rankOf(b.state) || a.number - b.number)
        .map(({ state, scenario, events }) => ({
          kind: state.kind,
          id: String(state.id),
          tenant,
          scenario,
          stage: trueStage(state),
          ...('levels' in state && { levels: state.levels }),
          events: events.map((event) => ({
            ...event,
            ...notes.get(event.id),
            fate: fates.get(event.id) ?? 'dropped',
          })),
        })),
  };
}

const rankOf = ({ kind }: SubjectState): number => subjectKinds.indexOf(kind);

const stateOf = ({ states }: Page, at = Number.POSITIVE_INFINITY): SubjectState | undefined =>
  states.findLast(({ since }) => since <= at)?.state;

const currentOf = ({ states }: Page): SubjectState => (states.at(-1) ?? states[0]).state;
