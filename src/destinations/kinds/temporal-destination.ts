import { randomUUID } from 'node:crypto';
import type { WorkflowService } from '@temporalio/client';
import proto from '@temporalio/proto';
import { z } from 'zod';
import { words } from '../../base/text.ts';
import { placeholdersOf } from '../../domain/catalogue/operation.ts';
import { parseSubjectKey, type SubjectRef } from '../../domain/catalogue/subject.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import type { Announcement, Extent, OutgoingAnnouncement, Receipt } from '../../domain/outgoing.ts';
import { dataIn } from '../announcements/announced-data.ts';
import { isTest } from '../announcements/cloud-event.ts';
import { sendingBy } from '../sending/sending.ts';
import {
  answers,
  type CheckedServer,
  createCheckedConnection,
  explain,
  isClosed,
  isGone,
  isTooLarge,
} from './checked-connection.ts';
import type { DestinationContext, OpenDestination } from './kind.ts';

interface NamedFacts extends SubjectRef {
  readonly milestone: string;
  readonly snapshot: Snapshot;
}

const placeholders = {
  tenant: ({ tenant }) => tenant,
  kind: ({ kind }) => kind,
  id: ({ id }) => id,
  milestone: ({ milestone }) => milestone,
  referenceNumber: ({ snapshot }) => snapshot.referenceNumber,
  customer: ({ snapshot }) => snapshot.customerId,
  facility: ({ snapshot }) => snapshot.facilityId,
} as const satisfies Record<string, (facts: NamedFacts) => string | undefined>;

const known = Object.keys(placeholders);

const placeholderNames: readonly string[] = known.map((name) => `{${name}}`);

/** `fulfillment-{referenceNumber}`. */
const nameTemplate = z
  .string()
  .regex(/^[^{}\p{Cc}]*(\{\w+\}[^{}\p{Cc}]*)*$/u, 'must be a name, in which braces contain a placeholder')
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine(
    (template) => placeholdersOf(template).every((name) => known.includes(name)),
    `must have no placeholders but ${placeholderNames.join(', ')}`,
  );

function namedFacts(announcement: Pick<Announcement, 'body'>): NamedFacts {
  const data = dataIn(announcement);
  const read = (member: string) => JSON.parse(data.get(member) ?? 'null');
  return {
    tenant: read('tenant'),
    kind: read('kind'),
    id: read('id'),
    milestone: read('milestone'),
    snapshot: read('after') ?? read('snapshot') ?? {},
  };
}

function fillName(template: string, facts: NamedFacts): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: keyof typeof placeholders) => {
    const value = placeholders[name](facts);
    if (value) return value;
    throw new DocklineError(
      'ERR_DESTINATION_REFUSED',
      `${template} needs ${placeholder}, which is not known of this ${words(facts.kind)}`,
    );
  });
}

const { WorkflowIdConflictPolicy, WorkflowIdReusePolicy, TaskQueueKind, TaskQueueType } = proto.temporal.api.enums.v1;

type Policy = proto.temporal.api.enums.v1.WorkflowIdReusePolicy;

const MAY_RUN_AGAIN = WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE;
const MUST_NOT_RUN_AGAIN = WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE;

/** Temporal shows it as it is. */
const plainName = z
  .string()
  .regex(/^\P{Cc}{1,200}$/u, 'must have 1 to 200 characters, none of them a control character');

export const signalingForms = {
  workflowType: plainName.describe('Type of the workflows that announcements signal, and start if they do not run.'),
  taskQueue: plainName.describe('Task queue of the workers of these workflows.'),
  workflowId: nameTemplate
    .default('{kind}-{tenant}-{id}')
    .describe(`Template of the id of a workflow, in which \`${placeholderNames.join('`, `')}\` are replaced.`),
  signal: nameTemplate
    .default('dockline')
    .describe('Template of the name of the signal that carries an announcement, with the same placeholders.'),
  whenClosed: z
    .enum(['start', 'skip', 'refuse'])
    .default('start')
    .describe(
      'What an announcement does whose workflow has ended: `start` starts a new run, `skip` counts it as delivered, `refuse` rejects it, so that it becomes a dead letter.',
    ),
};

export interface TemporalDestinationOptions
  extends Extent,
    DestinationContext,
    CheckedServer,
    z.output<z.ZodObject<typeof signalingForms>> {}

const nameOf = ({ workflowType, url }: Pick<TemporalDestinationOptions, 'workflowType' | 'url'>): string =>
  `signaling ${workflowType} at ${url}`;

/**
 * The signal's only argument is the announcement as structured JSON, the workflow's is `{ tenant, kind, id }`. The request id is the
 * announcement's, so that a run gets none twice. A test looks whether workers poll the task queue, and signals nothing.
 */
export function createTemporalDestination(options: TemporalDestinationOptions): OpenDestination {
  const { url, workflowType, whenClosed } = options;
  const namespace = decodeURIComponent(new URL(url).pathname.slice(1));
  const name = nameOf(options);
  const failureOf = (error: unknown) => (error instanceof DocklineError ? error : explain(error, name));
  const { call, close } = createCheckedConnection(options);
  const taskQueue = { kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL, name: options.taskQueue };

  const signaling = (outgoing: OutgoingAnnouncement) => {
    const facts = namedFacts(outgoing);
    const workflow = { namespace, workflowId: fillName(options.workflowId, facts) };
    refuseOwn(workflow.workflowId);
    const { tenant, kind, id } = facts;
    const request = {
      ...workflow,
      identity: 'dockline',
      // Whoever has it sent again wants it to arrive, which the server would prevent.
      requestId: outgoing.isReplay ? randomUUID() : outgoing.id,
      workflowType: { name: workflowType },
      taskQueue,
      input: { payloads: [toPayload(Buffer.from(JSON.stringify({ tenant, kind, id })))] },
      signalName: fillName(options.signal, facts),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
    };

    const signal = (body: Buffer, workflowIdReusePolicy: Policy) => {
      const signalInput = { payloads: [toPayload(body)] };
      return call((service) =>
        service.signalWithStartWorkflowExecution({ ...request, signalInput, workflowIdReusePolicy }),
      );
    };

    /** A workflow that has ended runs again only if it has not ended because of this very announcement. */
    async function deliver(body: Buffer): Promise<void> {
      try {
        await signal(body, MUST_NOT_RUN_AGAIN);
      } catch (error) {
        if (!isClosed(error) || whenClosed === 'refuse') throw error;
        if (whenClosed === 'skip') return;
        const isRepetition = !outgoing.isReplay && (await call((service) => hasTaken(service, workflow, outgoing.id)));
        if (!isRepetition) await signal(body, MAY_RUN_AGAIN);
      }
    }

    return async (body: Buffer) => {
      try {
        await deliver(body);
        return { status: answers.success };
      } catch (error) {
        if (isTooLarge(error)) return failureOf(error);
        throw failureOf(error);
      }
    };
  };

  async function test(): Promise<Receipt> {
    const taskQueueType = TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;
    const { pollers } = await call((service) =>
      service.describeTaskQueue({ namespace, taskQueue, taskQueueType }),
    ).catch((error: unknown) => {
      throw failureOf(error);
    });
    if (pollers.length > 0) return { status: answers.success };
    throw new DocklineError('ERR_DESTINATION_FAILED', `${name}: no worker polls the task queue ${options.taskQueue}`, {
      status: answers.noWorker,
    });
  }

  const attributes = { 'messaging.system': 'temporal', 'server.address': url };
  const begin = (outgoing: OutgoingAnnouncement) => (isTest(outgoing) ? test : signaling(outgoing));
  return { send: sendingBy(options, 'producer', attributes, begin), close };
}

/** As the SDKs' default converters do. */
const toPayload = (data: Buffer) => ({ metadata: { encoding: Buffer.from('json/plain') }, data });

/** One of Dockline's own workflows would take the announcement for a wake. */
function refuseOwn(workflowId: string): void {
  if (parseSubjectKey(workflowId))
    throw new DocklineError('ERR_DESTINATION_REFUSED', `${workflowId} is the id of one of Dockline's own workflows`);
}

interface Workflow {
  readonly namespace: string;
  readonly workflowId: string;
}

/** Also looks at runs that the newest one continues. Those before one that is gone are not asked for. */
async function hasTaken(
  service: WorkflowService,
  { namespace, workflowId }: Workflow,
  announcement: string,
): Promise<boolean> {
  const mark = `"id":${JSON.stringify(announcement)}`;
  for (let runId: string | undefined = ''; runId !== undefined; ) {
    let continued: string | undefined;
    for await (const event of readEvents(service, { namespace, execution: { workflowId, runId } })) {
      continued = event.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || continued;
      const payloads = event.workflowExecutionSignaledEventAttributes?.input?.payloads ?? [];
      if (payloads.some(({ data }) => Buffer.from(data ?? []).includes(mark))) return true;
    }
    runId = continued;
  }
  return false;
}

/** None of a run that is gone. */
async function* readEvents(service: WorkflowService, request: HistoryRequest) {
  let nextPageToken: Uint8Array | undefined;
  try {
    do {
      const page = await service.getWorkflowExecutionHistory({ ...request, ...(nextPageToken && { nextPageToken }) });
      yield* page.history?.events ?? [];
      nextPageToken = page.nextPageToken;
    } while (nextPageToken.length > 0);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

type HistoryRequest = Parameters<WorkflowService['getWorkflowExecutionHistory']>[0];
