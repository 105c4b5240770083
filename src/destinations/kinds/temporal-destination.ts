import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import { z } from 'zod';
import { parseSubjectKey } from '../../domain/catalogue/subject.ts';
import type { Extent } from '../../domain/detail.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { OutgoingAnnouncement, Receipt } from '../../domain/outgoing.ts';
import { inSpan } from '../../domain/tracing.ts';
import { asSent } from '../announcements/announced-data.ts';
import { isTest } from '../announcements/test-announcement.ts';
import { sendFitting } from '../sending/send-fitting.ts';
import { spanOf } from '../sending/span.ts';
import { type CheckedServer, createCheckedConnection } from './checked-connection.ts';
import type { DestinationContext, OpenDestination } from './kind.ts';
import { fillName, namedFacts, nameTemplate, placeholderNames } from './name-template.ts';
import { hasTaken } from './signaled-history.ts';
import { answers, explain, isClosed, isTooLarge } from './temporal-failure.ts';

const { WorkflowIdConflictPolicy, WorkflowIdReusePolicy, TaskQueueKind, TaskQueueType } = proto.temporal.api.enums.v1;

type Policy = proto.temporal.api.enums.v1.WorkflowIdReusePolicy;

const MAY_RUN_AGAIN = WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE;
const MUST_NOT_RUN_AGAIN = WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE;

/** Form of a name that Temporal shows as it is. */
const plainName = z
  .string()
  .regex(/^\P{Cc}{1,200}$/u, 'must have 1 to 200 characters, none of them a control character');

/** Forms of the settings of what is signaled. */
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

/** Server, and the workflows that are signaled there. */
export interface TemporalDestinationOptions
  extends Extent,
    DestinationContext,
    CheckedServer,
    z.output<z.ZodObject<typeof signalingForms>> {}

/** Names the signaling in messages. */
const nameOf = ({ workflowType, url }: Pick<TemporalDestinationOptions, 'workflowType' | 'url'>): string =>
  `signaling ${workflowType} at ${url}`;

/**
 * Creates a destination that signals a workflow for each subject, and starts it if it does not run. The only argument of the signal is the
 * announcement as structured JSON, that of the workflow is the subject: `{ tenant, kind, id }`. The id of the request is that of the announcement, so
 * that a run gets no announcement twice. A test looks whether workers poll the task queue, and signals nothing.
 * Failures are `ERR_DESTINATION_UNREACHABLE`, `_FAILED`, `_REFUSED` and `_ADDRESS`.
 */
export function createTemporalDestination(options: TemporalDestinationOptions): OpenDestination {
  const { url, tracing, detail, maxBytes, workflowType, whenClosed } = options;
  const namespace = decodeURIComponent(new URL(url).pathname.slice(1));
  const name = nameOf(options);
  const { call, close } = createCheckedConnection(options);
  const taskQueue = { kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL, name: options.taskQueue };

  async function send(outgoing: OutgoingAnnouncement): Promise<Receipt> {
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

    /** Signals the workflow. One that has ended runs again only if it has not ended because of this very announcement. */
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

    return await sendFitting(asSent(outgoing), { detail, maxBytes }, (body) =>
      deliver(body).then(
        () => ({ status: answers.success }),
        (error) => {
          if (isTooLarge(error)) return explain(error, name);
          throw error;
        },
      ),
    );
  }

  /** Looks whether a worker would take what is started. */
  async function test(): Promise<Receipt> {
    const taskQueueType = TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;
    const { pollers } = await call((service) => service.describeTaskQueue({ namespace, taskQueue, taskQueueType }));
    if (pollers.length > 0) return { status: answers.success };
    throw new DocklineError('ERR_DESTINATION_FAILED', `${name}: no worker polls the task queue ${options.taskQueue}`, {
      status: answers.noWorker,
    });
  }

  const attempt = async (announcement: OutgoingAnnouncement) => {
    try {
      return await (isTest(announcement) ? test() : send(announcement));
    } catch (error) {
      throw error instanceof DocklineError ? error : explain(error, name);
    }
  };

  return {
    send: (announcement) =>
      inSpan(
        { tracing },
        'announce',
        () => spanOf(announcement, 'producer', { 'messaging.system': 'temporal', 'server.address': url }),
        () => attempt(announcement),
      ),
    close,
  };
}

/** Wraps JSON as the default converters of the SDKs do. */
const toPayload = (data: Buffer) => ({ metadata: { encoding: Buffer.from('json/plain') }, data });

/** Refuses the id of one of Dockline's own workflows, which would take the announcement for a wake. */
function refuseOwn(workflowId: string): void {
  if (parseSubjectKey(workflowId))
    throw new DocklineError('ERR_DESTINATION_REFUSED', `${workflowId} is the id of one of Dockline's own workflows`);
}
