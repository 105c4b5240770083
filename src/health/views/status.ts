import { z } from 'zod';
import { count, dateOrNull, defineView, instant, listOf, type Sources } from '../../admin/views/view.ts';
import { countOutgoing } from '../../destinations/tables/counts.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { attentions } from '../../domain/lifecycle/attention.ts';
import { openStagesOf, stages, stagesOf } from '../../domain/lifecycle/stage.ts';
import { countQuarantined, countWaiting } from '../../inbox/tables/counts.ts';
import { sumCounts } from '../../store/bounded-count.ts';
import { countAttention, countDueBy, countOpenStages, countStages, dueStates } from '../../subjects/tables/counts.ts';
import { incidentRow, toRow } from './incidents.ts';

const status = z.object({
  incidents: listOf(incidentRow).describe('What is wrong, the urgent first.'),
  inbox: z.object({
    waiting: count,
    oldestReceivedAt: instant.nullable(),
    quarantined: count,
  }),
  announcements: z.object({ unsent: count, deadLettered: count }),
  subjects: listOf(z.object({ kind: z.enum(subjectKinds), stage: z.enum(stages), count })),
  attention: z.record(z.enum(attentions), count),
  due: z
    .record(z.enum(dueStates), count)
    .describe(
      'Open ones by their deadline: overdue, expected to miss it, at risk where too little is known, and due within 24 hours.',
    ),
});

type Status = z.output<typeof status>;

const closedStages = subjectKinds.flatMap((kind) =>
  stagesOf(kind)
    .filter((stage) => !openStagesOf(kind).includes(stage))
    .map((stage) => ({ kind, stage })),
);

/** Acknowledged announcements are too many to count. */
export async function readStatus(sources: Pick<Sources, 'reads' | 'once' | 'incidents'>): Promise<Status> {
  const { reads, once } = sources;
  const waiting = await once(countWaiting);
  const { deadLetters, ...open } = await once(countOutgoing);
  const stages = [...(await once(countOpenStages)), ...(await countStages(reads, closedStages))];
  const due = await once(countDueBy);
  return {
    incidents: (await sources.incidents()).map(toRow),
    inbox: {
      waiting: waiting.count,
      oldestReceivedAt: dateOrNull(waiting.since),
      quarantined: sumCounts([...(await once(countQuarantined)).values()]).count,
    },
    announcements: { unsent: sumCounts(Object.values(open)).count, deadLettered: deadLetters.count },
    subjects: stages
      .filter(({ count: counted }) => counted > 0)
      .map(({ kind, stage, count }) => ({ kind, stage, count })),
    attention: await once(countAttention),
    due: Object.fromEntries(dueStates.map((state) => [state, due[state].count])) as Status['due'],
  };
}

export const statusView = defineView({
  call: {
    path: '/status',
    id: 'getStatus',
    summary: 'Counts what is waiting, failing or quarantined',
    tag: 'Operations',
    description:
      'One call for a dashboard: incidents, the inbox, announcements that are not sent, and the number of subjects in each stage. Each count ends at 10,000, and they are read once a second for everybody.',
    role: 'read',
    row: status,
    name: 'Status',
  },
  params: z.object({}),
  read: readStatus,
});
