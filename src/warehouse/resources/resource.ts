import type { Reader } from '../../base/json.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { readId, readText } from '../../domain/wire-values.ts';
import type { RetrievedSubject } from '../gets.ts';

/** Creates a reader of facts that are in a record's `readOnly`, or else beside it. */
export const factReader =
  (read: Reader): Reader =>
  (...path) =>
    read('readonly', ...path) ?? read(...path);

/** Reads the id and the name of a customer, a facility or a user. */
export function readIdentifier(read: Reader, name: string): { readonly id?: string; readonly name?: string } {
  const id = readId(read(name, 'id'));
  const title = readText(read(name, 'name'));
  return { ...(id !== undefined && { id }), ...(title !== undefined && { name: title }) };
}

/** Leaves out facts that a record does not have or leaves empty. */
export function withoutAbsent(facts: { readonly [F in keyof Snapshot]: Snapshot[F] | undefined }): Snapshot {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as Snapshot;
}

/** Returns what was found in a record that names several customers, which is nobody's. */
export const disputed = <Found extends Pick<RetrievedSubject, 'snapshot'>>({
  snapshot: { customerId: _, customerName: __, ...snapshot },
  ...found
}: Found) => ({ ...found, snapshot, disputed: true as const });
