import { z } from 'zod';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { attentions } from '../domain/lifecycle/attention.ts';
import { type Milestone, milestones } from '../domain/lifecycle/milestone.ts';
import { levelNames, type Snapshot } from '../domain/lifecycle/snapshot.ts';
import { stages } from '../domain/lifecycle/stage.ts';
import { bulkNames } from './bulk/filters.ts';
import { bulkStates } from './bulk/ports.ts';
import { announcementRow } from './views/announcements.ts';
import { pageForm } from './views/list.ts';
import { reasonRow } from './views/quarantine.ts';
import { waitingWebhookRow } from './views/waiting-webhooks.ts';

const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();

const count = z.int().nonnegative();

const time = z.iso.datetime();

/** Time as the workflow and the lifecycle have it. */
const epoch = z.int().describe('Milliseconds since the epoch.');

const milestone = z.enum(Object.keys(milestones) as [Milestone, ...Milestone[]]);

const flag = z.boolean().exactOptional();

const text = z.string().exactOptional();

const snapshot = z
  .object({
    status: z.enum(['open', 'closed', 'canceled', 'gone']).exactOptional(),
    completed: flag,
    fullyAllocated: flag,
    pickDone: flag,
    packStarted: flag,
    packDone: flag,
    lineCount: count.exactOptional(),
    deactivated: flag,
    levels: z.partialRecord(z.enum(levelNames), z.number()).exactOptional(),
    onHold: flag,
    referenceNumber: text,
    customerId: text,
    customerName: text,
    facilityId: text,
    facilityName: text,
    pickJobId: text,
  } satisfies { [K in keyof Required<Snapshot>]: z.ZodType })
  .describe('Facts of the record that decide the lifecycle, as last retrieved.');

const observation = z.object({
  milestone,
  time: epoch,
  eventId: z.string().nullable(),
  released: z.literal(true).exactOptional(),
  observedAt: epoch.exactOptional(),
});

const lifecycle = z.object({
  revision: count,
  registers: z.record(z.string(), observation.optional()).describe('Newest observation of each register.'),
  inferred: list(milestone).describe('Milestones that were announced because the record showed them.'),
  lastEventTime: epoch,
  snapshot: snapshot.nullable(),
});

const trouble = z.object({
  operation: z.string().describe('Operation that failed, or `announce`.'),
  since: time,
  attempts: count,
  error: z.string(),
  nextTryAt: time,
});

const progress = z.object({ lines: count.nullable(), picked: count, packed: count });

const subjectView = z.object({
  stage: z.enum(stages),
  stageSince: epoch,
  attention: list(z.enum(attentions)),
  lifecycle: lifecycle.pick({ revision: true, lastEventTime: true, snapshot: true }),
  progress: progress.nullable().describe('Null for anything but an order.'),
  waiting: z.object({ events: count, announcements: count }),
});

const listedSubject = z.object({
  tenant: z.string(),
  kind: z.enum(subjectKinds),
  id: z.string(),
  stage: z.enum(stages),
  stageSince: time,
  attention: list(z.enum(attentions)),
  retrieving: trouble.nullable().describe('Failure of its GETs, which are retried.'),
  announcing: trouble.nullable().describe('Failure of its announcements, which are retried.'),
  refused: list(z.string()).describe('GETs that could not be had.'),
  revision: count,
  referenceNumber: z.string().nullable(),
  customerId: z.string().nullable(),
  facilityId: z.string().nullable(),
  lastEventAt: time.nullable(),
  updatedAt: time,
});

const erasureCounts = { deliveries: count, resources: count, announcements: count };

const shownSubject = listedSubject.extend({
  lifecycle,
  progress: progress
    .extend({ byLine: z.record(z.string(), z.object({ picked: z.boolean(), packed: z.boolean() })) })
    .nullable(),
  live: subjectView
    .extend({ timeline: list(z.string()) })
    .nullable()
    .describe('Answer of its workflow; null if there is none.'),
  liveProblem: text,
  erasures: list(z.object({ at: time, by: z.string(), ...erasureCounts })),
  announcements: list(announcementRow).describe('Newest first.'),
  waitingWebhooks: list(waitingWebhookRow).describe('Accepted and not recorded yet, oldest first.'),
});

const bulk = z.object({
  id: count,
  action: z.enum(bulkNames),
  filter: z.record(z.string(), z.string()),
  state: z.enum(bulkStates),
  createdAt: time.describe('When its items were chosen: nothing that came later is among them.'),
  createdBy: z.string(),
  expiresAt: time.describe('When its preview can no longer be confirmed.'),
  total: count,
  sample: list(z.string()).describe(
    'Its first items: keys of subjects, ids of announcements, or numbers of deliveries.',
  ),
  done: count,
  failed: count,
  trouble: z.string().nullable().describe('Reason why it does not go on now; it does by itself.'),
  confirmedAt: time.nullable(),
  finishedAt: time.nullable(),
});

const status = z.object({
  inbox: z.object({
    waiting: count,
    oldestReceivedAt: time.nullable(),
    quarantined: count,
    quarantinedByReason: list(reasonRow),
  }),
  failing: list(trouble.omit({ attempts: true }).extend({ tenant: z.string(), subjects: count })),
  announcements: z.object({ unsent: count, deadLettered: count }),
  subjects: list(z.object({ kind: z.enum(subjectKinds), stage: z.enum(stages), count })),
  attention: z.record(z.enum(attentions), count),
});

/** Answers of the administrative API, and their parts that have a name in its OpenAPI document. */
export const answers = {
  Status: status,
  Trouble: trouble,
  Snapshot: snapshot,
  Lifecycle: lifecycle,
  ListedSubject: listedSubject,
  SubjectPage: pageForm(listedSubject),
  FoundSubjects: z.object({ items: list(listedSubject) }),
  ShownSubject: shownSubject,
  SubjectView: subjectView,
  Accepted: z.object({
    status: z.string(),
    outcome: z.enum(['failed', 'asked']).exactOptional().describe('What is known of the GET, which is retried.'),
  }),
  Erased: z.object({ isErased: z.boolean(), ...erasureCounts, waiting: count, unsent: count }),
  Bulk: bulk,
  BulkPage: pageForm(bulk),
  ShownBulk: bulk.extend({
    failures: list(z.object({ target: z.string(), error: z.string() })).describe('The first of those that failed.'),
  }),
  Replayed: z.object({ ingested: count }),
  Resent: z.object({ asked: count.describe('Number of announcements that are sent again.') }),
  JsonSchema: z.looseObject({ $id: z.string().describe('The `dataschema` of these announcements.') }),
  BackedUp: z.object({ file: z.string().describe('Path on the machine of Dockline.'), bytes: count }),
  OpenApiDocument: z.looseObject({ openapi: z.string() }),
  Problem: z
    .object({ type: z.string(), title: z.string(), status: z.int(), detail: z.string() })
    .describe('Problem of RFC 9457.'),
} as const;

/** Name of an answer. */
export type AnswerName = keyof typeof answers;

/** Answer as a route returns it. */
export type Answer<N extends AnswerName> = z.infer<(typeof answers)[N]>;
