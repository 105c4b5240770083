import { factsOf } from './condition.ts';
import { type Incident, nameOf } from './incident.ts';

/** What a channel was last told, and when. */
export interface Told {
  readonly as: 'open' | 'over';
  readonly at: number;
  readonly count: number;
  readonly sort: string;
  readonly named?: string | undefined;
}

/** Noticed and not held yet; open; over with somebody still to be told. */
export const phases = ['noticed', 'open', 'over'] as const;

/** Incident of which somebody is told, or was. */
export interface Alert {
  readonly finding: Incident;
  readonly phase: (typeof phases)[number];
  readonly since: number;
  readonly goneSince: number | null;
  readonly most: number;
  /** Last news of each channel. */
  readonly told: Readonly<Record<string, Told>>;
}

/** It opens once it has held for one, and ends once it was gone for the other. */
export interface Damping {
  readonly holdMs: number;
  readonly clearMs: number;
}

const NO_DAMPING: Damping = { holdMs: 0, clearMs: 0 };

/** With what a search found. An alert goes on as another condition of its family if what was wrong has become that. */
export function advanceAll(
  known: readonly Alert[],
  incidents: readonly Incident[],
  now: number,
  damping: Damping,
): readonly Alert[] {
  const found = new Map(incidents.map((it) => [nameOf(it), it]));
  const before = new Map(known.map((it) => [nameOf(it.finding), it]));
  const moved = new Map<Incident, Alert>();
  const hasMoved = (alert: Alert | undefined) => alert !== undefined && [...moved.values()].includes(alert);
  for (const incident of incidents.filter((it) => !before.has(nameOf(it)))) {
    const earlier = known.find((it) => !hasMoved(it) && hasBecome(it.finding, incident, found));
    if (earlier) moved.set(incident, earlier);
  }
  // What nobody can judge stays as it was.
  const isUnjudged = ({ finding }: Alert) => found.has(nameOf({ condition: 'unjudged', place: finding.condition }));
  return [
    ...incidents.flatMap((it) => {
      const own = before.get(nameOf(it));
      return hasMoved(own) ? [] : (advance(moved.get(it) ?? own, it, now, damping) ?? []);
    }),
    ...known
      .filter((it) => !found.has(nameOf(it.finding)) && !hasMoved(it))
      .flatMap((it) => (isUnjudged(it) ? it : (advance(it, undefined, now, damping) ?? []))),
  ];
}

function hasBecome(before: Incident, now: Incident, found: ReadonlyMap<string, Incident>): boolean {
  const { family } = factsOf(now.condition);
  const gone = found.get(nameOf(before))?.isOver ?? true;
  return family !== undefined && factsOf(before.condition).family === family && before.place === now.place && gone;
}

/** Undefined if there is nothing left to say of it. */
export function advance(
  before: Alert | undefined,
  found: Incident | undefined,
  now: number,
  damping: Damping,
): Alert | undefined {
  const known = before && notAhead(before, now);
  const condition = (found ?? before?.finding)?.condition;
  const { holdMs, clearMs } = condition && factsOf(condition).isEvent ? NO_DAMPING : damping;
  if (found && !found.isOver) return opened(notice(known, found, now), now, holdMs);
  if (!known || known.phase === 'noticed') return known && leave(known, now);
  if (known.phase === 'over') return leave(known, known.since);
  const gone = found ? { ...known, finding: { ...known.finding, ended: found.ended, isOver: true } } : known;
  const goneSince = gone.goneSince ?? now;
  return now - goneSince >= clearMs ? leave(gone, goneSince) : { ...gone, goneSince };
}

/** Such times come from a clock that was ahead and was set right. */
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

function notice(before: Alert | undefined, found: Incident, now: number): Alert {
  if (!before || before.phase === 'over')
    return {
      finding: found,
      phase: 'noticed',
      since: now,
      goneSince: null,
      most: found.count,
      told: before?.told ?? {},
    };
  const since = Math.min(before.finding.since, found.since);
  const most = Math.max(before.most, found.count);
  return { ...before, finding: { ...found, since }, goneSince: null, most };
}

/** Once it has held for long enough, also before it was noticed. */
function opened(alert: Alert, now: number, holdMs: number): Alert {
  const heldSince = Math.min(alert.since, alert.finding.since);
  return alert.phase === 'noticed' && now - heldSince >= holdMs ? { ...alert, phase: 'open', since: now } : alert;
}

/** It stays while a channel believes that it is open. */
function leave(alert: Alert, since: number): Alert | undefined {
  const isOwed = !factsOf(alert.finding.condition).isEvent && Object.values(alert.told).some(({ as }) => as === 'open');
  return isOwed ? { ...alert, phase: 'over', since, goneSince: null } : undefined;
}
