import { sql } from 'kysely';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { Problem } from '../../http/problem.ts';
import { isSomebody } from '../tables/taking.ts';
import { meansOpen, type Sort, type SubjectQuery } from './filters.ts';

/** None for `id`. */
export const timeOf = {
  ...({ oldest: 'stage_since', newest: 'stage_since' } as const),
  ...({ due: 'due_at', created: 'created_at' } as const),
  // Of those of one time: what was told by a forecast, then what only the fixed time puts at risk.
  risk: sql<number>`case when expected_at is null then due_at - 1 else at_risk_at end`,
};

export function usualSort({ due, takenBy, createdSince, confirmedSince, olderThan }: SubjectQuery): Sort {
  if (due !== undefined) return 'due';
  if (confirmedSince !== undefined) return 'newest';
  if (olderThan !== undefined || isSomebody(takenBy)) return 'oldest';
  return createdSince === undefined ? 'id' : 'created';
}

/** By what people mean, in the order of an index. @throws Problem 400 without such an index */
export function completed(given: SubjectQuery): SubjectQuery & { readonly sort: Sort } {
  const { due, kind, attention, group, olderThan, confirmedSince, sort = usualSort(given) } = given;
  const isByAge = (olderThan ?? confirmedSince) !== undefined;
  const query = {
    ...given,
    ...(isByAge && (attention ?? group) === undefined && { kind: kind ?? mainKind }),
    ...(olderThan !== undefined && meansOpen(given) && { open: 'true' as const }),
    sort,
  };
  if (due && sort !== 'due' && sort !== 'risk') throw new Problem(400, 'due goes with sort=due');
  if (sort === 'risk' && given.dueAt === undefined) throw new Problem(400, 'sort=risk goes with dueAt');
  if ((sort === 'oldest' || sort === 'newest') && !hasTimeIndex(query)) throw new Problem(400, `sort ${NO_INDEX}`);
  return query;
}

const hasTimeIndex = ({ kind, stage, open, attention, group, takenBy, confirmedSince }: SubjectQuery): boolean =>
  (attention ?? group) !== undefined ||
  isSomebody(takenBy) ||
  (kind !== undefined && (stage ?? open ?? confirmedSince) !== undefined);

const NO_INDEX = 'by time needs attention, group, a name in takenBy, or kind with stage or open';
