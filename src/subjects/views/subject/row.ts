import type { Kysely } from 'kysely';
import { z } from 'zod';
import { count, dateOrNull, instant, listOf, type Sources } from '../../../admin/views/view.ts';
import { type RecordFacts, recordFacts } from '../../../domain/catalogue/record-facts.ts';
import { type SubjectRef, subjectKinds } from '../../../domain/catalogue/subject.ts';
import { outlooks } from '../../../domain/deadlines/deadline.ts';
import { type Forecast, sayWhy, steps } from '../../../domain/deadlines/forecast.ts';
import { attentions, type Cleared } from '../../../domain/lifecycle/attention.ts';
import { type FailedGet, type Refusal, readRetrievals } from '../../../domain/lifecycle/gets.ts';
import { type Lifecycle, unknownLifecycle } from '../../../domain/lifecycle/lifecycle.ts';
import { stageOf, stages } from '../../../domain/lifecycle/stage.ts';
import { firstWaiting } from '../../../inbox/tables/waiting.ts';
import { columnsFor, type Meant, nullsOf, readRow, rowsOf, type Stored } from '../../../store/rows.ts';
import { type Database, subjectColumns } from '../../../store/schema.ts';
import type { ActivityFailure } from '../../tables/activity-failures.ts';
import { attentionIn } from '../../tables/counts.ts';
import { outlookAt } from '../../tables/deadlines.ts';

export const troubleRow = z.object({
  operation: z.string().describe('Operation that failed, or `announce`.'),
  since: instant,
  attempts: count,
  error: z.string(),
  status: z.int().nullable().describe('HTTP status of the answer, or reply code of a broker; null if there was none.'),
  nextTryAt: instant,
});

export const failedGet = z.object({ operation: z.string(), message: z.string() });

export const toFailedGet = ({ operation, message }: FailedGet) => ({ operation, message });

const forecastRow = z.object({
  expectedAt: instant.describe('Median of comparable orders.'),
  earliest: instant.describe('One in ten of them was shipped sooner.'),
  latest: instant.describe('One in ten of them was shipped later.'),
  step: z.enum(steps).describe('What it waits for.'),
  ahead: count.describe('Orders of its facility that are further along, or come first in its step.'),
  comparable: count.describe('Comparable orders of the last weeks.'),
  usualMs: z.number().describe('Time that such an order usually takes from there, in milliseconds.'),
  slowdown: z.number().describe('How many times as long the last hours took.'),
  because: z.string().describe('The same as a sentence.'),
});

export const subjectRow = z.object({
  tenant: z.string(),
  kind: z.enum(subjectKinds),
  id: z.string(),
  stage: z.enum(stages),
  stageSince: instant,
  attention: listOf(z.enum(attentions)),
  retrieving: troubleRow.nullable().describe('Failure of its GETs, which are retried.'),
  announcing: troubleRow.nullable().describe('Failure of its announcements, which are retried.'),
  refused: listOf(failedGet).describe('GETs that failed for good.'),
  revision: count,
  referenceNumber: z.string().nullable(),
  customerId: z.string().nullable(),
  facilityId: z.string().nullable(),
  facts: (recordFacts as z.ZodType<RecordFacts>).describe(
    'What its record says beside its stage, as last fetched. Absent members are not known.',
  ),
  lastEventAt: instant.nullable(),
  createdAt: instant.describe('Time at which Dockline first stored it.'),
  updatedAt: instant,
  dueAt: instant
    .nullable()
    .describe('Time by which it is to be done, which stays once it is over; null if no rule matches.'),
  outlook: z
    .enum(outlooks)
    .nullable()
    .describe(
      'How it stands against that: `willMiss` by what became of comparable orders, `atRisk` by the fixed time of its rule where too little is known; null if it is over, or if no rule matches.',
    ),
  atRiskAt: instant.nullable().describe('Time from which it is one of these.'),
  dueZone: z.string().nullable().describe('IANA name of the zone of its calendar.'),
  dueBecause: z.string().nullable().describe('Rule that decides when it is due, and what it counted from.'),
  forecast: forecastRow.nullable().describe('When it will ship; null where too little is known, and of what is over.'),
  takenBy: z
    .string()
    .nullable()
    .describe('Operator who has taken it, or the token where none is named; null if nobody has.'),
  takenAt: instant.nullable(),
});

export type SubjectRow = z.output<typeof subjectRow>;

export const selectSubjects = (reads: Kysely<Database>, meant: Meant<'subjects'> = {}) =>
  rowsOf(reads, 'subjects', meant)
    .select([...columnsFor('subjects', subjectRow), 'subject_id as id', 'stalled', 'unannounced'])
    .select(outlookAt(Date.now()).as('outlook'));

export const toSubject = (it: Stored<typeof selectSubjects>): SubjectRow =>
  readRow(subjectRow, it, {
    attention: attentionIn(it),
    retrieving: toActivityFailure(it.retrieving),
    announcing: toActivityFailure(it.announcing),
    refused: it.refused === null ? [] : (JSON.parse(it.refused) as Refusal[]).map(toFailedGet),
    facts: it.facts === null ? {} : JSON.parse(it.facts),
    lastEventAt: dateOrNull(it.lastEventAt || null),
    forecast: it.outlook === null || it.forecast === null ? null : toForecast(JSON.parse(it.forecast)),
  });

const toForecast = (it: Forecast) =>
  readRow(forecastRow, it, { earliest: new Date(it.earliest), latest: new Date(it.latest), because: sayWhy(it) });

const toActivityFailure = (json: string | null): SubjectRow['retrieving'] =>
  json === null ? null : readRow(troubleRow, { status: null, ...(JSON.parse(json) as ActivityFailure) }, {});

/** Also if nothing of it was recorded yet. */
export async function findSubject({ reads }: Pick<Sources, 'reads'>, subject: SubjectRef) {
  const row = await selectSubjects(reads, subjectColumns(subject))
    .select(['lifecycle', 'cleared', 'retrievals'])
    .executeTakeFirst();
  if (row)
    return {
      ...toSubject(row),
      lifecycle: JSON.parse(row.lifecycle) as Lifecycle,
      cleared: row.cleared === null ? undefined : (JSON.parse(row.cleared) as Cleared),
      retrievals: readRetrievals(row.retrievals),
    };
  const arrived = await findArrived({ reads }, subject);
  return arrived && { ...arrived, lifecycle: unknownLifecycle, cleared: undefined, retrievals: [] };
}

export async function findArrived(
  { reads }: Pick<Sources, 'reads'>,
  subject: SubjectRef,
): Promise<SubjectRow | undefined> {
  const first = await firstWaiting(reads, subject);
  if (!first) return undefined;
  const { event, receivedAt } = first;
  const arrived = new Date(receivedAt);
  return {
    ...nullsOf(subjectRow),
    ...subject,
    ...{ stage: stageOf(unknownLifecycle), stageSince: arrived, createdAt: arrived, updatedAt: arrived },
    ...{ attention: [], refused: [], revision: 0 },
    referenceNumber: event.reference ?? null,
    facts: event.poNumber === undefined ? {} : { poNumber: event.poNumber },
    lastEventAt: dateOrNull(event.time ?? null),
  };
}
