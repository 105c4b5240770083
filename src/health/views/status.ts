import { z } from 'zod';
import { count, dateOrNull, defineView, instant, listOf, type Sources } from '../../admin/views/view.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { attentions } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { quarantinedRows } from '../../inbox/tables/quarantined.ts';
import { countWaiting, oldestWaiting } from '../../inbox/tables/waiting.ts';
import { countReasons, reasonRow } from '../../inbox/views/quarantine.ts';
import { countOf } from '../../store/schema.ts';
import { countAttention } from '../../subjects/tables/attention.ts';
import { countDueBy } from '../../subjects/tables/due-counts.ts';
import { failingRows, findFailing } from './failing.ts';
import { incidentRow, toRow } from './incidents/row.ts';

/** Form of the counts over the whole store. */
export const status = z.object({
  incidents: listOf(incidentRow).describe('What is wrong, the urgent first.'),
  inbox: z.object({
    waiting: count,
    oldestReceivedAt: instant.nullable(),
    quarantined: count,
    quarantinedByReason: listOf(reasonRow),
  }),
  failing: failingRows,
  announcements: z.object({ unsent: count, deadLettered: count }),
  subjects: listOf(z.object({ kind: z.enum(subjectKinds), stage: z.enum(stages), count })),
  attention: z.record(z.enum(attentions), count),
  due: z
    .object({ overdue: count, atRisk: count, soon: count })
    .describe(
      'Open ones by their deadline: at risk and not yet due, and within 24 hours and not yet at risk; up to 10,000 each.',
    ),
});

/** Counts over the whole store. */
type Status = z.output<typeof status>;

/** Counts the contents of the store. Acknowledged announcements are too many to count. */
export async function readStatus(sources: Pick<Sources, 'reads' | 'incidents'>): Promise<Status> {
  const { reads } = sources;
  const open = await reads
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('dead_lettered_at').as('deadLettered')])
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow();
  const subjects = await reads
    .selectFrom('subjects')
    .select(({ fn }) => ['kind', 'stage', fn.countAll<number>().as('count')])
    .groupBy(['kind', 'stage'])
    .orderBy('kind')
    .orderBy('stage')
    .execute();
  return {
    incidents: (await sources.incidents()).map(toRow),
    inbox: {
      waiting: await countWaiting(reads),
      oldestReceivedAt: dateOrNull(await oldestWaiting(reads)),
      quarantined: await countOf(quarantinedRows(reads)),
      quarantinedByReason: await countReasons(sources),
    },
    failing: await findFailing(sources),
    announcements: { unsent: open.all - open.deadLettered, deadLettered: open.deadLettered },
    subjects,
    attention: await countAttention(reads, Number.MAX_SAFE_INTEGER),
    due: await countDueBy(reads, Date.now()),
  };
}

/** Counts of what waits, fails or is quarantined, without limits. */
export const statusView = defineView({
  call: {
    path: '/status',
    id: 'getStatus',
    summary: 'Counts what is waiting, failing or quarantined',
    tag: 'Operations',
    description:
      'One call for a dashboard: incidents, the inbox, failing GETs, announcements that are not sent, and the number of subjects in each stage. The counts are exact, so poll it every few seconds at most.',
    role: 'read',
    row: status,
    name: 'Status',
  },
  params: z.object({}),
  read: readStatus,
});
