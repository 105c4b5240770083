import { compareKeys, type ObservationKey, type SignaledEvent } from './event.ts';
import { type Milestone, milestones, type Register } from './milestone.ts';
import { deniedMilestones, type Snapshot, shownMilestones, standingMilestones } from './snapshot.ts';

/** What a register holds: the newest observation of it. */
export interface Observation extends ObservationKey {
  readonly milestone: Milestone;
}

/** What told of a change: an event, the resource as a GET showed it, or the passing of time. */
export type Cause = 'event' | 'snapshot' | 'clock';

/** One revision of a lifecycle: a milestone that was reached or taken back, to be announced once. */
export interface Change {
  readonly revision: number;
  readonly milestone: Milestone;
  /** When it happened; for a change that no event told, when it was known by. Milliseconds since the epoch. */
  readonly time: number;
  readonly cause: Cause;
  /** It happened before something that is announced already: the stage has moved on. */
  readonly late: boolean;
  readonly event?: SignaledEvent;
}

/** Where a subject stands. Plain JSON: it travels through continue-as-new and the store. */
export interface Lifecycle {
  readonly revision: number;
  readonly registers: { readonly [R in Register]?: Observation };
  /** Announced because a snapshot showed them; the events that tell of them may still come. */
  readonly inferred: readonly Milestone[];
  /** Ids of the newest events that were observed, oldest first. */
  readonly seen: readonly string[];
  /** The time of the newest event. */
  readonly lastEventTime: number;
  readonly snapshot: Snapshot | null;
}

/** The outcome of an observation: the lifecycle after it and what is to be announced, in order. */
export interface Observed {
  readonly lifecycle: Lifecycle;
  readonly changes: readonly Change[];
}

/** How many event ids a lifecycle remembers. The inbox's unique key stops older repeats. */
const SEEN_LIMIT = 1000;

/** The lifecycle of a subject of which nothing is known. */
export const unknownLifecycle: Lifecycle = {
  revision: 0,
  registers: {},
  inferred: [],
  seen: [],
  lastEventTime: 0,
  snapshot: null,
};

/**
 * Takes in events and what a GET made after them showed. Each register keeps its newest observation, so arrival order and
 * repeats do not matter; each event is announced once, unless the snapshot of an earlier call told of it already.
 */
export function observe(before: Lifecycle, events: readonly SignaledEvent[], snapshot: Snapshot | null): Observed {
  const fresh = unseen(before, events);
  const draft = createDraft(before, snapshot, fresh);
  const standing = snapshot ? standingMilestones(snapshot) : [];
  for (const [index, event] of fresh.entries()) {
    if (snapshot) {
      const coming = new Set(fresh.slice(index).map(({ milestone }) => milestone));
      inferShown(
        draft,
        snapshot,
        (shown) => milestones[shown].rank < milestones[event.milestone].rank && !coming.has(shown),
      );
    }
    tell(draft, event, { late: event.time < before.lastEventTime, standing });
  }
  if (snapshot) {
    inferShown(draft, snapshot, () => true);
    inferDenied(draft, snapshot);
  }
  const seen = [...before.seen, ...fresh.map(({ id }) => id)].slice(-SEEN_LIMIT);
  return settle(draft, seen);
}

/** Takes in a milestone that the passing of time reached (`stalled`) or that something ended (`resumed`). */
export function observeClock(before: Lifecycle, milestone: 'stalled' | 'resumed', time: number): Observed {
  const draft = createDraft(before, before.snapshot, []);
  draft.registers.attention = { milestone, time, eventId: null };
  announce(draft, { milestone, time, cause: 'clock', late: false });
  return settle(draft, before.seen);
}

interface Draft {
  revision: number;
  registers: { [R in Register]?: Observation };
  inferred: Milestone[];
  /** The newest event's time once the batch is taken in; a GET made for the batch is at least as new. */
  readonly lastEventTime: number;
  snapshot: Snapshot | null;
  changes: Change[];
}

function createDraft(before: Lifecycle, snapshot: Snapshot | null, fresh: readonly SignaledEvent[]): Draft {
  return {
    revision: before.revision,
    registers: { ...before.registers },
    inferred: [...before.inferred],
    lastEventTime: Math.max(before.lastEventTime, ...fresh.map(({ time }) => time)),
    snapshot: snapshot ?? before.snapshot,
    changes: [],
  };
}

function settle({ changes, ...lifecycle }: Draft, seen: readonly string[]): Observed {
  return { lifecycle: { ...lifecycle, seen }, changes };
}

function unseen(before: Lifecycle, events: readonly SignaledEvent[]): SignaledEvent[] {
  const fresh = new Map(events.filter(({ id }) => !before.seen.includes(id)).map((event) => [event.id, event]));
  return [...fresh.values()].sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
}

const keyOf = (event: SignaledEvent): ObservationKey => ({ time: event.time, eventId: event.id });

function tell(
  draft: Draft,
  event: SignaledEvent,
  { late, standing }: { readonly late: boolean; readonly standing: readonly Milestone[] },
): void {
  const { milestone, time } = event;
  const { register } = milestones[milestone];
  const current = draft.registers[register];
  const newer = !current || compareKeys(keyOf(event), current) > 0;
  const turns = newer && current !== undefined && current.milestone !== milestone;
  const wasShown = current?.eventId === null;
  const awaited = draft.inferred.indexOf(milestone);

  if (awaited >= 0 && (!turns || wasShown)) {
    draft.inferred.splice(awaited, 1);
    if (newer && !turns) draft.registers[register] = { milestone, time, eventId: null };
    return;
  }
  // An earlier GET showed what still stands, so the event that would turn it happened before that GET.
  const overtaken = turns && wasShown && standing.includes(current.milestone);
  announce(draft, { milestone, time, cause: 'event', late: late || overtaken, event });
  if (newer && !overtaken) draft.registers[register] = { milestone, ...keyOf(event) };
}

function inferShown(draft: Draft, snapshot: Snapshot, wanted: (milestone: Milestone) => boolean): void {
  for (const milestone of shownMilestones(snapshot)) {
    const current = draft.registers[milestones[milestone].register];
    if (current?.milestone !== milestone && wanted(milestone)) infer(draft, milestone);
  }
}

function inferDenied(draft: Draft, snapshot: Snapshot): void {
  for (const { denied, by } of deniedMilestones(snapshot)) {
    if (draft.registers[milestones[denied].register]?.milestone === denied) infer(draft, by);
  }
}

/** A GET is at least as new as every event known when it was made, so what it shows outranks them all. */
function infer(draft: Draft, milestone: Milestone): void {
  const time = draft.lastEventTime;
  draft.registers[milestones[milestone].register] = { milestone, time, eventId: null };
  draft.inferred.push(milestone);
  announce(draft, { milestone, time, cause: 'snapshot', late: false });
}

function announce(draft: Draft, change: Omit<Change, 'revision'>): void {
  draft.revision += 1;
  draft.changes.push({ revision: draft.revision, ...change });
}
