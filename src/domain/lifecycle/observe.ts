import { compareKeys, type ObservationKey, type PlannedEvent } from '../catalogue/event.ts';
import type { Change, Lifecycle, Observation } from './lifecycle.ts';
import { coalesces, type Milestone, milestones, type RegisterKey, registerOf } from './milestone.ts';
import { deniedMilestones, type Snapshot, sameLevels, shownMilestones, standingMilestones } from './snapshot.ts';

/** The outcome of an observation: the lifecycle after it and what is to be announced, in order. */
export interface Observed {
  readonly lifecycle: Lifecycle;
  readonly changes: readonly Change[];
}

/**
 * Takes in events that were never observed before and what a GET made after them showed. Each register keeps its newest
 * observation, so arrival order does not matter; each event is announced once, unless the snapshot of an earlier call told of it
 * already, or a newer one of the same batch says the same and more.
 */
export function observe(before: Lifecycle, events: readonly PlannedEvent[], snapshot: Snapshot | null): Observed {
  const fresh = inOrder(events);
  const told = coalesce(before, fresh.filter(isTelling));
  const draft = createDraft(before, fresh);
  const standing = snapshot ? standingMilestones(snapshot) : [];
  for (const [index, event] of told.entries()) {
    if (snapshot) {
      const coming = new Set(told.slice(index).map(({ milestone }) => milestone));
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
    inferLevels(draft, snapshot);
    draft.snapshot = snapshot;
  }
  return settle(draft);
}

/** Takes in a milestone that the passing of time reached (`stalled`) or that something ended (`resumed`). */
export function observeClock(before: Lifecycle, milestone: 'stalled' | 'resumed', time: number): Observed {
  const draft = createDraft(before, []);
  draft.registers.attention = { milestone, time, eventId: null };
  announce(draft, { milestone, time, cause: 'clock', late: false });
  return settle(draft);
}

interface Draft {
  revision: number;
  registers: { [R in RegisterKey]?: Observation };
  inferred: Milestone[];
  /** The newest event's time once the batch is taken in; a GET made for the batch is at least as new. */
  readonly lastEventTime: number;
  snapshot: Snapshot | null;
  changes: Change[];
}

/** An event that is announced. */
interface TellingEvent extends PlannedEvent {
  readonly milestone: Milestone;
  /** How many events it stands for. */
  readonly coalesced?: number;
}

function createDraft(before: Lifecycle, fresh: readonly PlannedEvent[]): Draft {
  const told = fresh.filter(isTelling);
  // A look that nothing told of happens on our clock, which counts only where there is no other.
  const timed = told.length > 0 || before.lastEventTime > 0 ? told : fresh;
  return {
    revision: before.revision,
    registers: { ...before.registers },
    inferred: [...before.inferred],
    lastEventTime: timed.reduce((latest, { time }) => Math.max(latest, time), before.lastEventTime),
    snapshot: before.snapshot,
    changes: [],
  };
}

function settle({ changes, ...lifecycle }: Draft): Observed {
  return { lifecycle, changes };
}

const inOrder = (events: readonly PlannedEvent[]): PlannedEvent[] =>
  events.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));

const isTelling = (event: PlannedEvent): event is TellingEvent => event.milestone !== null;

/** Of the events that coalesce only the newest is left, and that only if it is newer than what is known. */
function coalesce(before: Lifecycle, events: readonly TellingEvent[]): TellingEvent[] {
  const [single, many] = [
    events.filter((event) => !coalesces(event.milestone)),
    events.filter((event) => coalesces(event.milestone)),
  ];
  const newest = many.at(-1);
  if (!newest || !isNewer(newest, before.registers[registerOf(newest.milestone)])) return single;
  return [...single, { ...newest, coalesced: many.length }];
}

const keyOf = (event: PlannedEvent): ObservationKey => ({ time: event.time, eventId: event.id });

const isNewer = (event: PlannedEvent, current: Observation | undefined): boolean =>
  !current || compareKeys(keyOf(event), current) > 0;

function tell(
  draft: Draft,
  { coalesced, ...event }: TellingEvent,
  { late, standing }: { readonly late: boolean; readonly standing: readonly Milestone[] },
): void {
  const { milestone, time, shown } = event;
  const register = registerOf(milestone, event.orderItemId);
  const current = draft.registers[register];
  const newer = isNewer(event, current);
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
  announce(draft, {
    milestone,
    time,
    cause: 'event',
    late: late || overtaken,
    event,
    ...(coalesced !== undefined && { coalesced }),
    ...(shown && { before: newer ? draft.snapshot : null, after: shown }),
  });
  if (newer && !overtaken) draft.registers[register] = { milestone, ...keyOf(event) };
  if (newer && shown) draft.snapshot = shown;
}

function inferShown(draft: Draft, snapshot: Snapshot, wanted: (milestone: Milestone) => boolean): void {
  for (const milestone of shownMilestones(snapshot)) {
    const current = draft.registers[registerOf(milestone)];
    if (current?.milestone !== milestone && wanted(milestone)) infer(draft, milestone);
  }
}

function inferDenied(draft: Draft, snapshot: Snapshot): void {
  for (const { denied, by } of deniedMilestones(snapshot)) {
    if (draft.registers[registerOf(denied)]?.milestone === denied) infer(draft, by);
  }
}

/** Levels have no event of their own to wait for: the next one tells of newer ones. */
function inferLevels(draft: Draft, snapshot: Snapshot): void {
  if (!snapshot.levels || sameLevels(snapshot.levels, draft.snapshot?.levels)) return;
  const time = draft.lastEventTime;
  draft.registers.level = { milestone: 'changed', time, eventId: null };
  announce(draft, {
    milestone: 'changed',
    time,
    cause: 'snapshot',
    late: false,
    before: draft.snapshot,
    after: snapshot,
  });
}

/** A GET is at least as new as every event known when it was made, so what it shows outranks them all. */
function infer(draft: Draft, milestone: Milestone): void {
  const time = draft.lastEventTime;
  draft.registers[registerOf(milestone)] = { milestone, time, eventId: null };
  draft.inferred.push(milestone);
  announce(draft, { milestone, time, cause: 'snapshot', late: false });
}

function announce(draft: Draft, change: Omit<Change, 'revision'>): void {
  draft.revision += 1;
  draft.changes.push({ revision: draft.revision, ...change });
}
