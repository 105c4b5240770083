import { isDeepStrictEqual } from 'node:util';
import { readWrittenTime, utcOf } from '../../base/written-time.ts';
import { isOfRecord, isTakingBack, standingMilestones } from '../../domain/lifecycle/milestone.ts';
import type { Reported } from '../gets.ts';
import type { Found } from './page-answer.ts';

interface Known {
  readonly stored: Found | undefined;
  readonly newest: readonly Reported[];
}

/** Compared with what is known. */
type Verdict = 'newer' | 'older' | 'unclear';

/**
 * Judges whether a row of a listing, which may lag, is newer than what is stored, and no older than the newest events;
 * also one as stored if the events are older. Its times are in an unnamed zone, so they are compared only with those of
 * other records. Whatever is in doubt is not proven.
 */
export function judge(row: Found, { stored, newest }: Known): Verdict {
  const verdicts = newest.map((reported) => judgeReported(row, stored, reported));
  if (stored) verdicts.push(judgeStored(row, stored, newest.length > 0));
  if (verdicts.includes('older')) return 'older';
  return row.changedAt !== undefined && verdicts.every((it) => it === 'newer') ? 'newer' : 'unclear';
}

function judgeStored(row: Found, stored: Found, isReported: boolean): Verdict {
  const difference = compareTimes(row.changedAt, stored.changedAt) ?? Number.NaN;
  if (difference < 0) return 'older';
  return difference > 0 || (difference === 0 && isReported && isDeepStrictEqual(row, stored)) ? 'newer' : 'unclear';
}

function judgeReported(row: Found, stored: Found | undefined, { milestone, changedAt }: Reported): Verdict {
  const difference = compareTimes(row.changedAt, changedAt) ?? Number.NaN;
  const isToShow = milestone !== null && isOfRecord(milestone);
  if (difference < 0 || (isToShow && !shownBy(row).has(milestone))) return 'older';
  const isAtLeast = difference > 0 || (difference === 0 && isPrecise(row.changedAt));
  if (changedAt !== undefined && !(difference >= 0)) return 'unclear';
  // A record that nobody had seen shows as not happened what was taken back.
  const isSince = isToShow && (stored ? !shownBy(stored).has(milestone) : !isTakingBack(milestone));
  return isAtLeast || isSince ? 'newer' : 'unclear';
}

/** Its creation is reported once a record is complete. */
const shownBy = ({ snapshot, isDeferred }: Found) =>
  new Set(standingMilestones(snapshot)).difference(new Set(isDeferred ? ['created'] : []));

/** Milliseconds; undefined if only one of them names its zone, or either cannot be read. */
function compareTimes(a = '', b = ''): number | undefined {
  const [one, other] = [readWrittenTime(a), readWrittenTime(b)];
  if (!one?.clock || !other?.clock || (one.offset === undefined) !== (other.offset === undefined)) return undefined;
  return utcOf(one) - utcOf(other);
}

/** Several changes may have the same second. */
const isPrecise = (time = ''): boolean => !readWrittenTime(time)?.clock?.endsWith('.000');
