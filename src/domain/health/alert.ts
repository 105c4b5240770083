import { backoffs } from '../retry-policy.ts';
import { type ConditionName, factsOf } from './condition.ts';
import { hasGrown, hasLasted, type Incident, nameOf } from './incident.ts';

/** Position of a channel in the story of an alert: its last notice, and when. */
export interface Notified {
  readonly as: 'open' | 'over';
  readonly at: number;
  readonly count: number;
  readonly sort: string;
  readonly named?: string | undefined;
}

/** Noticed and not held yet; open; over with somebody still to be notified. */
export const phases = ['noticed', 'open', 'over'] as const;

export interface Alert {
  readonly finding: Incident;
  readonly phase: (typeof phases)[number];
  readonly since: number;
  readonly goneSince: number | null;
  readonly most: number;
  /** By channel. */
  readonly notified: Readonly<Record<string, Notified>>;
}

/** It opens once it has held for one, and ends once it was gone for the other. */
interface Damping {
  readonly holdMs: number;
  readonly clearMs: number;
}

/** The same whichever condition of its family it is now. */
const storyOf = ({ condition, place }: Incident): string =>
  nameOf({ condition: factsOf(condition).family ?? condition, place });

export function advanceAll(
  known: readonly Alert[],
  incidents: readonly Incident[],
  now: number,
  damping: Damping,
): readonly Alert[] {
  const before = new Map(known.map((it) => [storyOf(it.finding), it]));
  // What has ended at a place gives way to what is wrong there now.
  const found = new Map(
    incidents.toSorted((a, b) => Number(b.isOver) - Number(a.isOver)).map((it) => [storyOf(it), it]),
  );
  // What nobody can judge stays as it was.
  const isJudged = ({ finding: { condition: place } }: Alert) =>
    !incidents.some((it) => it.condition === 'unjudged' && it.place === place);
  return [...new Set([...found.keys(), ...before.keys()])].flatMap((story) => {
    const alert = before.get(story);
    const incident = found.get(story);
    if (alert && !incident && !isJudged(alert)) return alert;
    return advance(alert, incident, now, damping) ?? [];
  });
}

export function advance(
  known: Alert | undefined,
  found: Incident | undefined,
  now: number,
  damping: Damping,
): Alert | undefined {
  if (found && !found.isOver) return open(notice(known, found, now), now, damping);
  if (known?.phase !== 'open') return known && leave(known, known.phase === 'over' ? known.since : now);
  const finding = found ? { ...known.finding, ended: found.ended, isOver: true } : known.finding;
  const goneSince = known.goneSince ?? now;
  const gone = { ...known, finding, goneSince };
  return hasLasted(goneSince, now, damping.clearMs) ? leave(gone, goneSince) : gone;
}

function notice(known: Alert | undefined, found: Incident, now: number): Alert {
  if (!known || known.phase === 'over')
    return {
      finding: found,
      phase: 'noticed',
      since: now,
      goneSince: null,
      most: found.count,
      notified: known?.notified ?? {},
    };
  const since = Math.min(known.finding.since, found.since);
  return { ...known, finding: { ...found, since }, goneSince: null, most: Math.max(known.most, found.count) };
}

/** Once it has held for long enough, also before it was noticed. */
function open(alert: Alert, now: number, { holdMs }: Damping): Alert {
  const hasHeld = hasLasted(Math.min(alert.since, alert.finding.since), now, holdMs);
  return alert.phase === 'noticed' && hasHeld ? { ...alert, phase: 'open', since: now } : alert;
}

/** It stays while a channel believes that it is open. */
function leave(alert: Alert, since: number): Alert | undefined {
  const isOwed = Object.values(alert.notified).some(({ as }) => as === 'open');
  return isOwed ? { ...alert, phase: 'over', since, goneSince: null } : undefined;
}

/** It opened, is of another sort, grew by an order of magnitude, is still open a day later, or is over. */
export const changes = ['opened', 'changed', 'grew', 'reminder', 'over'] as const;

export type Change = (typeof changes)[number];

export interface News {
  readonly alert: Alert;
  readonly change: Change;
}

export interface Wishes {
  readonly name: string;
  readonly conditions: readonly ConditionName[];
}

/** Unless a person has acknowledged it. */
const REMIND_MS = 86_400_000;

/** News of silenced conditions waits. */
export function newsFor(
  { name, conditions }: Wishes,
  alerts: readonly Alert[],
  now: number,
  isSilenced: (condition: ConditionName) => boolean = () => false,
): readonly News[] {
  return alerts.flatMap((alert) => {
    const { condition } = alert.finding;
    const change = changeOf(alert, alert.notified[name], now);
    if (!change || !isHeardBy(conditions, alert.finding, alert.notified[name]) || isSilenced(condition)) return [];
    return [{ alert, change }];
  });
}

/** A channel that was notified of another condition of the family is notified to the end. */
export function isHeardBy(
  conditions: Wishes['conditions'],
  { condition }: Pick<Incident, 'condition'>,
  notified: Notified | undefined,
): boolean {
  if (conditions.length === 0 || conditions.includes(condition)) return true;
  const { family } = factsOf(condition);
  return notified?.as === 'open' && family !== undefined && conditions.some((it) => factsOf(it).family === family);
}

function changeOf(
  { phase, finding, goneSince }: Alert,
  notified: Notified | undefined,
  now: number,
): Change | undefined {
  if (phase === 'over') return notified?.as === 'open' ? 'over' : undefined;
  if (phase !== 'open') return undefined;
  if (notified?.as !== 'open') return 'opened';
  if (goneSince !== null) return undefined;
  if (isOther(finding, notified) && hasLasted(notified.at, now, CHANGES_MS)) return 'changed';
  if (hasGrown(finding, notified.count)) return 'grew';
  return !finding.acknowledged && hasLasted(notified.at, now, REMIND_MS) ? 'reminder' : undefined;
}

const isOther = (finding: Incident, { sort, named }: Notified): boolean =>
  sort !== sortOf(finding) && (finding.named === undefined || finding.named !== named);

/** Between two notices of a changed sort: answers may alternate. */
const CHANGES_MS = 60_000;

const sortOf = ({ condition, sort }: Incident): string => `${condition} ${sort}`;

export function noteNotified(alert: Alert, change: Change, channel: string, at: number): Alert | undefined {
  const as = change === 'over' ? 'over' : 'open';
  const { finding } = alert;
  const { count, named } = finding;
  const all = { ...alert.notified, [channel]: { as, at, count, sort: sortOf(finding), named } } as const;
  const isDone = alert.phase === 'over' && Object.values(all).every((it) => it.as === 'over');
  return isDone ? undefined : { ...alert, notified: all };
}

/** A next attempt further ahead than any wait was set by a clock that was ahead. */
export const isWaiting = (nextTryAt: number, now: number): boolean =>
  nextTryAt > now && nextTryAt <= now + backoffs.alert.longestMs;

export const LONGEST_SILENCE_MS = 30 * 86_400_000;
