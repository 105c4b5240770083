import { backoffs } from '../retry-policy.ts';
import type { Alert, Told } from './alert.ts';
import { type ConditionName, factsOf } from './condition.ts';
import { hasGrown, hasLasted, type Incident } from './incident.ts';

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

/** What is silenced waits. */
export function newsFor(
  { name, conditions }: Wishes,
  alerts: readonly Alert[],
  now: number,
  isSilenced: (condition: ConditionName) => boolean = () => false,
): readonly News[] {
  return alerts.flatMap((alert) => {
    const { condition } = alert.finding;
    const change = changeOf(alert, alert.told[name], now);
    if (!change || !isHeardBy(conditions, alert.finding, alert.told[name]) || isSilenced(condition)) return [];
    return [{ alert, change }];
  });
}

/** What a channel was told as another condition of the family, it is told to the end. */
export function isHeardBy(
  conditions: Wishes['conditions'],
  { condition }: Pick<Incident, 'condition'>,
  told: Told | undefined,
): boolean {
  if (conditions.length === 0 || conditions.includes(condition)) return true;
  const { family } = factsOf(condition);
  return told?.as === 'open' && family !== undefined && conditions.some((it) => factsOf(it).family === family);
}

function changeOf({ phase, finding, goneSince }: Alert, told: Told | undefined, now: number): Change | undefined {
  if (phase === 'over') return told?.as === 'open' ? 'over' : undefined;
  if (phase !== 'open') return undefined;
  if (told?.as !== 'open') return 'opened';
  if (factsOf(finding.condition).isEvent || goneSince !== null) return undefined;
  if (isOther(finding, told) && hasLasted(told.at, now, CHANGES_MS)) return 'changed';
  if (hasGrown(finding, told.count)) return 'grew';
  return !finding.acknowledged && hasLasted(told.at, now, REMIND_MS) ? 'reminder' : undefined;
}

const isOther = (finding: Incident, { sort, named }: Told): boolean =>
  sort !== sortOf(finding) && (finding.named === undefined || finding.named !== named);

/** Between two changes of sort that are told: answers may alternate. */
const CHANGES_MS = 60_000;

const sortOf = ({ condition, sort }: Incident): string => `${condition} ${sort}`;

export function noteTold(alert: Alert, change: Change, channel: string, at: number): Alert | undefined {
  const as = change === 'over' ? 'over' : 'open';
  const { finding } = alert;
  const { count, named } = finding;
  const all = { ...alert.told, [channel]: { as, at, count, sort: sortOf(finding), named } } as const;
  const isDone = alert.phase === 'over' && Object.values(all).every((it) => it.as === 'over');
  return isDone ? undefined : { ...alert, told: all };
}

/** A next attempt further ahead than any wait was set by a clock that was ahead. */
export const isWaiting = (nextTryAt: number, now: number): boolean =>
  nextTryAt > now && nextTryAt <= now + backoffs.alert.longestMs;

export const LONGEST_SILENCE_MS = 30 * 86_400_000;
