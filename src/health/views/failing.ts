import { z } from 'zod';
import { count, listOf, type Sources } from '../../admin/views/view.ts';
import type { ActivityFailure } from '../../subjects/tables/activity-failures.ts';
import { attentionIs } from '../../subjects/tables/attention.ts';
import { troubleRow } from '../../subjects/views/subject/row.ts';

/** Row of an operation that fails for subjects of a tenant, for one reason, and is retried, with the newest failure. */
const failingRow = troubleRow.omit({ attempts: true, status: true }).extend({ tenant: z.string(), subjects: count });

/** Those of the most subjects first. */
export const failingRows = listOf(failingRow);

type FailingRow = z.output<typeof failingRow>;

const READ = 1000;

/** Summarizes failing activities by tenant, operation and reason. What they amount to, incidents say. */
export async function findFailing({ reads }: Pick<Sources, 'reads'>): Promise<readonly FailingRow[]> {
  const rows = await reads
    .selectFrom('subjects')
    .select(['tenant', 'retrieving', 'announcing'])
    .where(attentionIs.failing)
    .limit(READ)
    .execute();
  const failures = rows.flatMap(({ tenant, retrieving, announcing }) =>
    [retrieving, announcing].flatMap((json) =>
      json === null ? [] : [{ tenant, ...(JSON.parse(json) as ActivityFailure) }],
    ),
  );
  // Their texts name the record.
  const groups = Map.groupBy(failures, ({ tenant, operation, destination, code, status }) =>
    JSON.stringify([tenant, operation, destination, code, status]),
  );
  return [...groups.values()].map(summarize).sort((a, b) => b.subjects - a.subjects);
}

function summarize(group: readonly (ActivityFailure & { readonly tenant: string })[]): FailingRow {
  const [newest] = group.toSorted((a, b) => b.nextTryAt - a.nextTryAt) as [ActivityFailure & { tenant: string }];
  return {
    tenant: newest.tenant,
    operation: newest.operation,
    error: newest.error,
    subjects: group.length,
    since: new Date(Math.min(...group.map(({ since }) => since))),
    nextTryAt: new Date(Math.min(...group.map(({ nextTryAt }) => nextTryAt))),
  };
}
