import { type RawBuilder, sql } from 'kysely';
import { type CountStatement, countRows } from '../../store/bounded-count.ts';
import { isDueAndOpen } from './deadlines.ts';

/** Counts subjects; `since` is when the one that has been in its stage for longest entered it. */
export const countSubjects = (condition: RawBuilder<unknown>): CountStatement =>
  countRows(sql`${sql.table('subjects')} where ${condition}`, 'stage_since');

/** Counts open subjects by their deadline, with a condition on it; `since` is the earliest one. */
export const countDue = (condition: RawBuilder<unknown>): CountStatement =>
  countRows(sql`${sql.table('subjects')} where ${isDueAndOpen} and ${condition}`, 'due_at');

/** Counts the subjects of a kind that are in a stage, since a time at the earliest if one is given. */
export const countStage = ({
  kind,
  stage,
  since,
}: {
  readonly kind: string;
  readonly stage: string;
  readonly since?: number | undefined;
}): CountStatement => {
  const range = since === undefined ? sql`` : sql`and stage_since >= ${since}`;
  return countSubjects(sql`kind = ${kind} and stage = ${stage} ${range}`);
};
