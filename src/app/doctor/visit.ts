import type { RetrievedSubject } from '../../../activities/ports/retrieval.ts';
import type { SweptKind } from '../../../activities/ports/sweep.ts';
import type { createWarehouse } from '../../warehouse/warehouse.ts';
import { type Attempt, type Examiner, ok, warning } from './check.ts';
import { explainRefusal, type OperationName } from './operations.ts';

/** Warehouse under examination. */
export interface Visit {
  readonly examiner: Examiner;
  readonly client: ReturnType<typeof createWarehouse>;
  readonly tenant: string;
}

/** Makes a GET of an operation; a failure is explained in words that name the operation. */
export function tryOperation<T>(
  { examiner }: Pick<Visit, 'examiner'>,
  name: OperationName,
  tried: string,
  get: (signal: AbortSignal) => Promise<Attempt<T>>,
): Promise<T | undefined> {
  return examiner.check(name, tried, (signal) => get(signal).catch((error) => explainRefusal(name, error)));
}

/** Lists one row as reconciliation lists, so that its filter is tried too. Returns the row's id. */
export function findFirst(
  { examiner, client }: Visit,
  name: OperationName,
  kind: SweptKind,
): Promise<string | undefined> {
  return tryOperation({ examiner }, name, 'one row, with the filter of reconciliation', async (signal) => {
    const { rows, limitation } = await client.list({ kind, since: 0, page: 1, pageSize: 1 }, signal);
    const [first] = rows;
    const found = first ? `shows ${kind} ${first.id}` : 'is empty';
    if (limitation === undefined) return ok(found, first?.id);
    return { ...warning(found, limitation), ...(first && { value: first.id }) };
  });
}

/** Gets the subject that a list showed; there is none if the list is empty. */
export async function getListed(
  { examiner, client, tenant }: Visit,
  name: OperationName,
  kind: SweptKind,
  id: string | undefined,
): Promise<RetrievedSubject | undefined> {
  if (id === undefined) return void examiner.skip(name, kind, `no ${kind} is known`);
  return tryOperation({ examiner }, name, `${kind} ${id}`, async (signal) =>
    ok('was answered', await client.getSubject({ tenant, kind, id }, signal)),
  );
}
