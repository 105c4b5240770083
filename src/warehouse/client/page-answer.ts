import { parseExactly } from '../../base/json.ts';
import { UnreadableJson } from '../../base/json-shape.ts';
import { UnprovenAnswer } from '../resources/proof.ts';
import { type Read, readAnswer } from './answer.ts';
import type { Resource } from './api.ts';
import { refusalOf } from './refusal.ts';
import { type Answer, describeCall } from './transport.ts';

/** Record that proved itself, with its JSON text. */
export interface Loaded<T> {
  readonly value: T;
  readonly body: string;
}

/** Requests for records of one kind, and the reader of their answers. */
export interface Records<T> {
  readonly one: (id: string) => Resource;
  readonly many: (ids: readonly string[]) => Resource;
  /** Creates the reader that proves a record to be the one with an id. */
  readonly readOne: (id: string) => Read<T>;
  /** Returns the rows of a page. Throws `UnprovenAnswer` for an answer that is none. */
  readonly rowsIn: (page: unknown) => readonly unknown[];
  /** Returns the id that a record says it has. */
  readonly idOf: (record: unknown) => string | undefined;
  /** Returns the time of its last change as text that sorts. */
  readonly changedAt: (record: unknown) => string | undefined;
}

/** Row of a page. */
interface Row {
  readonly row: unknown;
  readonly body: string;
}

/** Page as it was answered. */
export interface Page {
  /** Reason why the warehouse cannot be asked for many, for people; undefined if it can. */
  readonly limitation?: string;
  /** Returns the row of a record, if there is exactly one. */
  rowOf(id: string): Row | undefined;
}

/** Statuses of a listing that the warehouse does not offer, or not so. */
const unsupported: ReadonlySet<number> = new Set([400, 403, 404, 405, 410, 414, 501]);

/** Names the listing of many records in messages. */
export const describeMany = <T>({ many }: Pick<Records<T>, 'many'>): string =>
  describeCall({ method: 'GET', path: many([]).path });

/** Reads the answer to a GET of many. Throws a `DocklineError` for one that says nothing of what the warehouse offers. */
export function readPage<T>(records: Records<T>, ids: readonly string[], answer: Answer): Page {
  const target = { method: 'GET', path: records.many([]).path } as const;
  if (unsupported.has(answer.status)) {
    return {
      limitation: `${refusalOf(target, answer).message} when asked for several at once`,
      rowOf: () => undefined,
    };
  }
  const rows = readAnswer(target, answer, records.rowsIn);
  const bodies = records.rowsIn(parseExactly(answer.text));
  const byId = Map.groupBy(
    rows.map((row, index) => ({ row, body: JSON.stringify(bodies[index]) })),
    ({ row }) => (records.idOf(row) ?? '').toLowerCase(),
  );
  const known = new Set(['', ...ids.map((id) => id.toLowerCase())]);
  const isFiltered = [...byId.keys()].every((id) => known.has(id));
  return {
    ...(!isFiltered && { limitation: `${describeMany(records)} answered with records that were not asked for` }),
    rowOf(id) {
      const [only, another] = byId.get(id.toLowerCase()) ?? [];
      return another ? undefined : only;
    },
  };
}

/** Returns the record of a row if it proves itself and is no older than what is stored; undefined for one that has to be asked for alone. */
export async function proveRow<T extends { readonly isUnreadable?: true }>(
  { readOne, changedAt }: Records<T>,
  id: string,
  { row, body }: Row,
  stored: (() => Promise<string | undefined>) | undefined,
): Promise<Loaded<T> | undefined> {
  try {
    const value = readOne(id)(row);
    if (value.isUnreadable) return undefined;
    const before = changedAt(JSON.parse((await stored?.()) ?? '{}'));
    const isOlder = before !== undefined && (changedAt(row) ?? '') < before;
    return isOlder ? undefined : { value, body };
  } catch (error) {
    if (error instanceof UnprovenAnswer || error instanceof UnreadableJson) return undefined;
    throw error;
  }
}
