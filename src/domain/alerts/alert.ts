import { factsOf } from './condition.ts';
import type { Finding, Found } from './finding.ts';

/** Standing of a channel about an alert: what it was last told, and when, in milliseconds since the epoch. */
export interface Told {
  readonly as: 'open' | 'over';
  readonly at: number;
  /** Channel that confirmed it, which may be a fallback. */
  readonly by: string;
}

/** Phases: noticed and not held yet, open, and over with somebody still to be told. */
export const phases = ['noticed', 'open', 'over'] as const;

/** Condition that holds for one thing, or did. Times are milliseconds since the epoch. */
export interface Alert {
  /** As it was found last. */
  readonly finding: Finding;
  readonly phase: (typeof phases)[number];
  /** Beginning of its phase. */
  readonly since: number;
  /** Time since which it is not found any more, though it is still open. */
  readonly goneSince: number | null;
  /** News that each channel was told last. */
  readonly told: Readonly<Record<string, Told>>;
}

/** Times that damp an alert, in milliseconds: it opens once it has held for one, and ends once it was gone for the other. */
export interface Damping {
  readonly holdMs: number;
  readonly clearMs: number;
}

const NO_DAMPING: Damping = { holdMs: 0, clearMs: 0 };

/** Returns an alert after a search: with what was found, or without. Undefined if there is nothing left to say of it. */
export function advance(
  stored: Alert | undefined,
  found: Found | undefined,
  now: number,
  damping: Damping,
): Alert | undefined {
  const before = stored && notAhead(stored, now);
  const condition = (found ?? before?.finding)?.condition;
  const { holdMs, clearMs } = condition && factsOf(condition).isEvent ? NO_DAMPING : damping;
  if (found) return opened(notice(before, found, now), now, holdMs);
  if (!before || before.phase === 'noticed') return before && leave(before, now);
  if (before.phase === 'over') return leave(before, before.since);
  const goneSince = before.goneSince ?? now;
  return now - goneSince >= clearMs ? leave(before, goneSince) : { ...before, goneSince };
}

/** Returns an alert without times that are still to come, which a clock had that was ahead and was set right. */
function notAhead(alert: Alert, now: number): Alert {
  const { since, goneSince, told } = alert;
  const past = Object.entries(told).map(([channel, it]) => [channel, { ...it, at: Math.min(it.at, now) }]);
  return {
    ...alert,
    since: Math.min(since, now),
    goneSince: goneSince && Math.min(goneSince, now),
    told: Object.fromEntries(past),
  };
}

/** Takes note of a finding: again, or for the first time since it was over. */
function notice(before: Alert | undefined, { since, ...found }: Found, now: number): Alert {
  if (!before || before.phase === 'over') {
    const finding = { ...found, since: since ?? now };
    return { finding, phase: 'noticed', since: now, goneSince: null, told: before?.told ?? {} };
  }
  return { ...before, finding: { ...found, since: since ?? before.finding.since }, goneSince: null };
}

const opened = (alert: Alert, now: number, holdMs: number): Alert =>
  alert.phase === 'noticed' && now - alert.since >= holdMs ? { ...alert, phase: 'open', since: now } : alert;

/** Ends an alert. It stays while a channel believes that it is open. */
function leave(alert: Alert, since: number): Alert | undefined {
  const isOwed = !factsOf(alert.finding.condition).isEvent && Object.values(alert.told).some(({ as }) => as === 'open');
  return isOwed ? { ...alert, phase: 'over', since, goneSince: null } : undefined;
}
