import { isRecordOf, isSameId, ownIdAt } from '../../domain/own-id.ts';
import { readId, readText } from '../../domain/wire-values.ts';

/** Reason why an answer is not what was asked for. Its message completes "answered …". */
export class UnprovenAnswer extends Error {
  override readonly name = 'UnprovenAnswer';
}

/** Record that was asked for. */
interface Asked {
  /** Noun for it in messages, such as `order`. */
  readonly what: string;
  readonly id: string;
  /** Dotted path of its own id, in any case. */
  readonly idPath: string;
}

/** Checks that a record is the one that was asked for ({@link isRecordOf}). Throws `UnprovenAnswer`. */
export function proveRecord(record: unknown, { what, id, idPath }: Asked): void {
  if (isRecordOf(record, { id, idPath })) return;
  const own = ownIdAt(record, idPath);
  throw new UnprovenAnswer(own === undefined ? `without the id of ${what} ${id}` : `with ${what} ${own}, not ${id}`);
}

/** Maximum number of values of a pick list that are searched for the pick job. */
const SEARCHED = 20_000;

/**
 * Checks that a pick list belongs to a pick job. No pick list was published, so that the job's id, or a link to the job, may be anywhere in it;
 * an answer that names only other jobs, or none, does not pass. Throws `UnprovenAnswer`.
 */
export function provePickList(list: unknown, jobId: string): void {
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
