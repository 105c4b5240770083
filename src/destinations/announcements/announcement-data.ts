import { z } from 'zod';
import {
  partKinds,
  type ResourceKind,
  type ResourceSource,
  resourceSources,
} from '../../domain/catalogue/enrichment.ts';
import { kindOf, type SubjectKind, type SubjectRef, subjectKinds } from '../../domain/catalogue/subject.ts';
import type { Deadline } from '../../domain/deadlines/deadline.ts';
import { type Forecast, sayWhy } from '../../domain/deadlines/forecast.ts';
import { anyAdvice } from '../../domain/kinds/advice.ts';
import type { Change, Lifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { type Milestone, milestones } from '../../domain/lifecycle/milestone.ts';
import { type Snapshot, snapshot, stockLevels } from '../../domain/lifecycle/snapshot.ts';
import { stageOf, stages } from '../../domain/lifecycle/stage.ts';
import { progressOf } from '../../domain/lifecycle/standing.ts';

const text = z.string().optional();
const flag = z.boolean().optional();

const facts = z.strictObject({
  tenant: z.string().describe('Warehouse account.'),
  kind: z.enum(subjectKinds),
  id: z.string().describe('Id of the order, receipt, … within its account.'),
  milestone: z.enum(Object.keys(milestones) as [Milestone, ...Milestone[]]),
  revision: z.int().positive().describe('Number of the change, which counts up for each subject without gaps.'),
  stage: z.enum(stages).describe('Where the subject stands after the whole batch.'),
  inferred: z.boolean().describe('No event reported it, but the record shows it.'),
  late: z
    .boolean()
    .describe('It happened before something that was announced already, or the clock tells it after five minutes.'),
  recordLags: flag.describe('The embedded record does not show the event yet.'),
  cause: z.enum(['event', 'snapshot', 'clock']),
  event: z
    .strictObject({ id: z.string(), name: z.string(), time: z.iso.datetime() })
    .nullable()
    .describe("The warehouse's event; null for what is inferred or comes from the clock."),
  coalesced: z.int().optional().describe('Number of changes that this announcement stands for.'),
  before: snapshot.nullable().optional().describe('Facts before the change.'),
  after: snapshot.optional().describe('Facts after the change.'),
  snapshot: snapshot.nullable().optional().describe('Facts that decide the lifecycle, as last retrieved.'),
  progress: z
    .strictObject({ lines: z.int().nullable(), picked: z.int(), packed: z.int() })
    .optional()
    .describe('Number of lines, and how many of them are picked and packed.'),
  deadline: z
    .strictObject({
      dueAt: z.iso.datetime().describe('Time by which it is to be done.'),
      atRiskAt: z.iso.datetime().describe('Time from which it is at risk.'),
      because: z.string().describe('Rule that decided it, and from what it counts.'),
      forecast: z
        .strictObject({
          expectedAt: z.iso.datetime().describe('Time at which it will probably ship: the median of orders like it.'),
          earliest: z.iso.datetime().describe('One in ten of them shipped sooner.'),
          latest: z.iso.datetime().describe('One in ten of them shipped later.'),
          because: z
            .string()
            .describe('What it waits for, how many orders are ahead, and how long that usually takes.'),
        })
        .optional()
        .describe(
          'Of what is at risk; absent where too little is known, so that a fixed time before the deadline decided.',
        ),
    })
    .optional()
    .describe('Absent if no rule for deadlines matches.'),
  orderItemId: text.describe('Line that the announcement is about.'),
  picked: flag.describe('The line is picked now.'),
  packed: flag.describe('The line is packed now.'),
  changed: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('Members of `advice` that differ from the announcement before, as dotted paths.'),
  resourceFrom: z.enum(resourceSources).nullable().describe('Source of the record; null if there is none.'),
  missing: z
    .array(z.enum([...subjectKinds, ...partKinds]))
    .optional()
    .describe(
      'Members that are null because the warehouse did not return them, or because this destination gets announcements without them.',
    ),
  recordsAt: z
    .partialRecord(z.enum([...subjectKinds, ...partKinds]), z.string())
    .optional()
    .describe(
      'Members that this destination got the announcement without, each with the path where its receiver can fetch it.',
    ),
  wholeAt: text.describe(
    'Path in the administrative API where those who run Dockline can read the whole announcement; set if records were left out.',
  ),
});

/** As the warehouse returned it. */
export const record = z.json();

const records = Object.fromEntries(subjectKinds.map((kind) => [kind, record.optional()])) as {
  readonly [K in SubjectKind]: z.ZodOptional<typeof record>;
};

/** Contract with merchants: `data` of an announcement. Other fields are not published. */
export const announcementData = facts.extend({
  previous: z
    .int()
    .positive()
    .nullable()
    .optional()
    .describe(
      'Revision of the announcement of this subject that this destination gets before it; null for its first. Absent where an announcement is read instead of received.',
    ),
  replay: z.literal(true).optional().describe('Somebody had it sent again, though you may have acknowledged it.'),
  advice: anyAdvice.optional().describe('The record in plain words, one form for each kind; absent without a record.'),
  ...records,
  orderItem: record.optional(),
  customer: record,
  user: record,
  pickList: record.optional(),
});

export function publishedFacts(input: AnnouncementInput): z.infer<typeof facts> {
  const { subject, change, lifecycle, deadline } = input;
  const { event, after } = change;
  const progress = kindOf(subject.kind).hasLines ? progressOf(lifecycle) : undefined;
  const orderItemId = progress && event?.orderItemId;
  const line = orderItemId ? progress.byLine[orderItemId] : undefined;
  return {
    tenant: subject.tenant,
    kind: subject.kind,
    id: subject.id,
    milestone: change.milestone,
    revision: change.revision,
    stage: stageOf(lifecycle),
    inferred: change.cause === 'snapshot',
    late: change.late,
    recordLags: change.recordLags,
    cause: change.cause,
    event: event ? { id: event.id, name: event.name, time: timeText(event.time) } : null,
    coalesced: change.coalesced,
    before: after && publishedSnapshot(change.before ?? null),
    after: after && publishedSnapshot(after),
    snapshot: after ? undefined : publishedSnapshot(lifecycle.snapshot),
    progress: progress && { lines: progress.lines, picked: progress.picked, packed: progress.packed },
    deadline: deadline && publishedDeadline(deadline, change.milestone),
    orderItemId: orderItemId || undefined,
    picked: line?.picked,
    packed: line?.packed,
    changed: input.changed,
    resourceFrom: input.resourceFrom,
    missing: input.missing.length > 0 ? [...input.missing] : undefined,
  };
}

/** JSON text. The announcement of one line carries that line instead of its order. */
export function publishedRecords({ subject, change, resources, advice }: AnnouncementInput) {
  const own = change.event?.orderItemId ? 'orderItem' : subject.kind;
  return {
    ...(advice !== undefined && { advice }),
    [own]: resources[own] ?? 'null',
    customer: resources.customer ?? 'null',
    user: resources.user ?? 'null',
    ...(kindOf(subject.kind).hasLines && { pickList: resources.pickList ?? 'null' }),
  };
}

const timeText = (at: number): string => new Date(at).toISOString();

const publishedDeadline = ({ dueAt, atRiskAt, because, forecast }: Deadline, milestone: Milestone) => ({
  dueAt: timeText(dueAt),
  atRiskAt: timeText(atRiskAt),
  because,
  ...(forecast && milestone === 'atRisk' && { forecast: publishedForecast(forecast) }),
});

const publishedForecast = ({ expectedAt, earliest, latest, ...why }: Forecast) => ({
  ...{ expectedAt: timeText(expectedAt), earliest: timeText(earliest), latest: timeText(latest) },
  because: sayWhy(why),
});

function publishedSnapshot<S extends Snapshot | null>(value: S): S {
  if (!value) return value;
  const published = only(snapshot.shape, value);
  return published.levels ? { ...published, levels: only(stockLevels.shape, published.levels) } : published;
}

/** Keeps the order, which is part of an announcement's bytes. */
function only<T extends object>(shape: object, value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(shape, name))) as T;
}

export interface OwnRecord {
  readonly body: string;
  readonly from: ResourceSource;
}

export interface Embedded {
  readonly resources: { readonly [K in ResourceKind]?: string };
  readonly resourceFrom: ResourceSource | null;
  /** JSON text; absent without a record. */
  readonly advice?: string | undefined;
  /** Differ from the announcement before; absent where they are not compared. */
  readonly changed?: readonly string[] | undefined;
  readonly missing: readonly ResourceKind[];
}

export interface AnnouncementInput extends Embedded {
  readonly subject: SubjectRef;
  readonly change: Change;
  readonly lifecycle: Lifecycle;
  readonly deadline?: Deadline | undefined;
  /** Of the recording, as a W3C `traceparent`. */
  readonly trace?: string | undefined;
}
