import { UnreadableJson } from '../../base/json-shape.ts';
import { parseJson } from '../../base/untrusted-json.ts';
import { DocklineError } from '../../domain/errors.ts';
import { UnprovenAnswer } from '../resources/proof.ts';
import { refusalOf } from './refusal.ts';
import { type Answer, describeCall, type Target } from './transport.ts';

/** Throws `UnprovenAnswer` for a value that is not what was asked for. */
export type Read<T> = (value: unknown) => T;

/**
 * Reads an answer that proves to be what was asked for: 200, JSON, whole, within bounds, and whatever `read` demands.
 * Integers that a double cannot hold arrive as text. Fails with {@link refusalOf}, `ERR_WAREHOUSE_UNREADABLE`, or
 * `ERR_WAREHOUSE_TOO_LARGE` for too many values.
 */
export function readAnswer<T>(target: Target, answer: Answer, read: Read<T>): T {
  if (answer.status < 200 || answer.status > 299) throw refusalOf(target, answer);
  try {
    return read(parse(answer));
  } catch (error) {
    if (!(error instanceof UnprovenAnswer || error instanceof UnreadableJson)) throw error;
    const isUnreadable = error instanceof UnreadableJson;
    const code = isUnreadable && error.isTooLarge ? 'ERR_WAREHOUSE_TOO_LARGE' : 'ERR_WAREHOUSE_UNREADABLE';
    const why = isUnreadable ? `, unreadable: ${error.message}` : ` ${error.message}`;
    throw new DocklineError(code, `${describeCall(target)} answered ${answer.status}${why}`, {
      status: answer.status,
    });
  }
}

function parse({ status, headers, text }: Answer): object {
  if (status !== OK) throw new UnprovenAnswer('instead of 200');
  const type = headers['content-type'] ?? 'application/json';
  if (!/\bjson\b/i.test(type) || /\bproblem\b/i.test(type))
    throw new UnprovenAnswer(`with ${shown(type)}, not a record in JSON`);
  if (text === '') throw new UnprovenAnswer('with nothing');
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) throw new UnprovenAnswer('with neither an object nor a list');
  return value;
}

const OK = 200;

/** Drops parameters; another side wrote it. */
const shown = (type: string): string => type.replace(/[^\w/+.-].*/s, '').slice(0, 60);
