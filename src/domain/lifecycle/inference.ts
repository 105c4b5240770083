import { announce, type Draft, seenNow } from './draft.ts';
import type { Observation } from './lifecycle.ts';
import {
  deniedMilestones,
  denies,
  type Milestone,
  type RegisterKey,
  registerOf,
  shownMilestones,
} from './milestone.ts';
import { type Snapshot, sameLevels } from './snapshot.ts';

export function inferShown(draft: Draft, snapshot: Snapshot, isWanted: (milestone: Milestone) => boolean): void {
  for (const milestone of shownMilestones(snapshot)) {
    const current = draft.registers[registerOf(milestone)];
    if (current?.milestone !== milestone && isWanted(milestone)) infer(draft, milestone);
  }
}

export function inferDenied(draft: Draft, snapshot: Snapshot): void {
  for (const { denied, by } of deniedMilestones(snapshot)) {
    if (draft.registers[registerOf(denied)]?.milestone === denied) infer(draft, by);
  }
}

/** No event is awaited for levels that it shows: the next one reports newer levels. */
export function adoptSnapshot(draft: Draft, snapshot: Snapshot): void {
  const known = draft.snapshot;
  draft.snapshot = snapshot;
  if (!snapshot.levels || sameLevels(snapshot.levels, known?.levels)) return;
  if (known?.levels && postpone(draft, 'level')) {
    draft.snapshot = { ...snapshot, levels: known.levels };
    return;
  }
  const inferred = { milestone: 'changed', time: draft.lastEventTime } as const;
  draft.registers.level = { ...inferred, eventId: null, ...seenNow(draft) };
  announce(draft, { ...inferred, cause: 'snapshot', late: false, before: known, after: snapshot });
}

/** Of events that the snapshot contradicts because it lags behind. */
export function markLagging(draft: Draft, snapshot: Snapshot): void {
  const registers = Object.entries(draft.registers) as [RegisterKey, Observation][];
  const lagging = registers.filter(([key, { milestone }]) => denies(snapshot, milestone) && postpone(draft, key));
  const eventIds = new Set(lagging.map(([, { eventId }]) => eventId));
  draft.changes = draft.changes.map((change) =>
    change.event && eventIds.has(change.event.id) ? { ...change, recordLags: true } : change,
  );
}

/** Only the record says what an update changed, and this one may be of before. */
export function lookPastUpdate(draft: Draft): void {
  postpone(draft, 'change');
}

/**
 * Leaves a register that is so new that this snapshot may lag behind it to a later one; true if so. Reads that lag must not take back what
 * was reported.
 */
function postpone(draft: Draft, register: RegisterKey): boolean {
  const { observedAt } = draft.registers[register] ?? {};
  if (!draft.clock || observedAt === undefined) return false;
  const settledAt = observedAt + draft.clock.lagMs;
  if (draft.clock.readAt >= settledAt) return false;
  draft.lookAgainAt = Math.max(draft.lookAgainAt ?? 0, settledAt);
  return true;
}

/** A GET is at least as new as every event known then, unless the warehouse's reads lag. */
function infer(draft: Draft, milestone: Milestone): void {
  const register = registerOf(milestone);
  if (postpone(draft, register)) return;
  const time = draft.lastEventTime;
  draft.registers[register] = { milestone, time, eventId: null, ...seenNow(draft) };
  draft.inferred.push(milestone);
  announce(draft, { milestone, time, cause: 'snapshot', late: false });
}
