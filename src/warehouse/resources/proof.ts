import { refuseTwins } from '../../base/untrusted-json.ts';
import { isErrorAnswer, isSameId, type OwnPlaces, ownIdOf } from '../../domain/own-id.ts';
import { readId, readText } from '../../domain/wire-values.ts';

/** Its message completes "answered …". */
export class UnprovenAnswer extends Error {
  override readonly name = 'UnprovenAnswer';
}

interface Asked extends OwnPlaces {
  /** Named in messages, such as `order`. */
  readonly what: string;
  readonly id: string;
}

/** Throws `UnprovenAnswer` for an error in place of a resource, `UnreadableJson` for two values under one name. */
export function refuseErrors(value: unknown): void {
  if (isErrorAnswer(value)) throw new UnprovenAnswer('with an error');
  refuseTwins(value);
}

/** Throws `UnprovenAnswer` for a record other than the one asked for ({@link ownIdOf}). */
export function proveRecord(record: unknown, { what, id, ...places }: Asked): void {
  refuseErrors(record);
  const own = ownIdOf(record, places);
  if (own === undefined)
    throw new UnprovenAnswer(
      `without the id of ${what} ${id} at ${places.idPath} (if it has another name, set ${what}.id in WAREHOUSE_PROPERTIES)`,
    );
  if (!isSameId(own, id)) throw new UnprovenAnswer(`with ${what} ${own}, not ${id}`);
}

const SEARCHED = 20_000;

/**
 * Checks that a pick list belongs to a pick job. No pick list was published, so the job's id, or a link to it, may be
 * anywhere; an answer that names only other jobs, or none, fails. Throws `UnprovenAnswer`.
 */
export function provePickList(list: unknown, jobId: string): void {
  refuseErrors(list);
  let left = SEARCHED;
  const names = (value: unknown, name: string): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).some(([key, member]) => names(member, Array.isArray(value) ? name : key));
    }
    const job = /^(?:pick)?(?:job)?id$/i.test(name) ? readId(value) : PICK_JOB.exec(readText(value) ?? '')?.[1];
    return isSameId(job, jobId);
  };
  if (!names(list, '')) throw new UnprovenAnswer(`without the id of pick job ${jobId}`);
}

const PICK_JOB = /\/pickjobs\/([^/?#{]+)/i;
