import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createTestAnnouncement } from '../../src/destinations/announcements/cloud-event.ts';
import {
  createTemporalDestination,
  type TemporalDestinationOptions,
} from '../../src/destinations/kinds/temporal-destination.ts';
import type { OutgoingAnnouncement } from '../../src/domain/outgoing.ts';
import { permitAnyone } from '../../src/domain/permission.ts';
import { openTemporal, type Temporal } from '../../src/temporal/connection.ts';
import { openBlackHole } from '../app/doctor/examining.ts';
import { outgoingOf, packed } from '../destinations/announcements/announcements.ts';
import { createNamespace } from '../support/namespace.ts';
import { createAuthority, startTlsProxy } from '../support/temporal-proxy.ts';
import { never } from '../warehouse/open-warehouse.ts';

const { CommandType, EventType } = proto.temporal.api.enums.v1;

/** An order with a number of its own, so that tests do not meet. */
function newOrder(snapshot: object = {}) {
  const id = randomUUID();
  const ofRevision = (revision: number, resources = {}): OutgoingAnnouncement =>
    outgoingOf({
      ...packed,
      subject: { ...packed.subject, id },
      change: { ...packed.change, revision },
      lifecycle: { ...packed.lifecycle, snapshot: { ...packed.lifecycle.snapshot, ...snapshot } },
      resources,
    });
  return { id, workflowId: `order-9104-${id}`, ofRevision };
}

describe('workflows of others', () => {
  let server: Temporal;
  beforeAll(() => {
    server = openTemporal({ address: inject('temporalAddress'), namespace: 'default' });
    return () => server.close();
  });

  function open(options: Partial<TemporalDestinationOptions> = {}) {
    const destination = createTemporalDestination({
      url: `temporal://${inject('temporalAddress')}/default`,
      workflowType: 'fulfillment',
      taskQueue: `queue-${randomUUID()}`,
      workflowId: '{kind}-{tenant}-{id}',
      signal: 'dockline',
      whenClosed: 'start',
      detail: 'thin',
      timeoutMs: 60_000,
      allowedAddresses: [],
      ...options,
    });
    onTestFinished(() => destination.close());
    const send = (announcement: OutgoingAnnouncement) => destination.send(permitAnyone(announcement), never);
    return { send, failure: (announcement: OutgoingAnnouncement) => send(announcement).then(String, (error) => error) };
  }

  const textOf = (payloads: proto.temporal.api.common.v1.IPayloads | null | undefined) =>
    payloads?.payloads?.map(({ data }) => Buffer.from(data ?? []).toString());

  /** Reads what a workflow was started with, and its signals. */
  async function readRun(workflowId: string) {
    const { events = [] } = await server.client.workflow.getHandle(workflowId).fetchHistory();
    const started = events?.find((it) => it.eventType === EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED);
    const attributes = started?.workflowExecutionStartedEventAttributes;
    const signals = (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: it }) =>
      it ? [{ name: it.signalName, bodies: textOf(it.input), payloads: it.input?.payloads }] : [],
    );
    return { attributes, input: textOf(attributes?.input), signals };
  }

  /** Ends the first task of a run by continuing as new, as a worker does. */
  async function continueAsNew(name: string): Promise<void> {
    const { workflowService } = server.connection;
    const task = await workflowService.pollWorkflowTaskQueue({ namespace: 'default', taskQueue: { name } });
    await workflowService.respondWorkflowTaskCompleted({
      taskToken: task.taskToken,
      commands: [
        {
          commandType: CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
          continueAsNewWorkflowExecutionCommandAttributes: {
            workflowType: { name: 'fulfillment' },
            taskQueue: { name },
          },
        },
      ],
    });
  }

  it('are started with their subject, and signaled with the very bytes', async () => {
    const { id, workflowId, ofRevision } = newOrder();
    const taskQueue = `queue-${id}`;
    const { send } = open({ taskQueue, detail: 'full' });
    const announcement = ofRevision(1, { order: '{"weight":1.10,"notes":"Grüße"}' });
    expect(await send(announcement)).toEqual({ status: 200 });
    const { attributes, input, signals } = await readRun(workflowId);
    expect(attributes).toMatchObject({ workflowType: { name: 'fulfillment' }, taskQueue: { name: taskQueue } });
    expect(input).toEqual([JSON.stringify({ tenant: '9104', kind: 'order', id })]);
    expect(signals.map(({ name, bodies }) => [name, bodies])).toEqual([
      ['dockline', [announcement.body.replace('"data":{', '"data":{"previous":null,')]],
    ]);
    expect(Buffer.from(signals[0]?.payloads?.[0]?.metadata?.encoding ?? []).toString()).toBe('json/plain');
  });

  it('get each announcement once in a run, in their order', async () => {
    const { workflowId, ofRevision } = newOrder();
    const { send } = open();
    for (const revision of [1, 1, 2, 1, 2]) await send(ofRevision(revision));
    const { signals } = await readRun(workflowId);
    expect(signals.map(({ bodies }) => JSON.parse(bodies?.[0] ?? '').data.revision)).toEqual([1, 2]);
  });

  it('get announcements without records unless they want them', async () => {
    const { workflowId, ofRevision } = newOrder();
    expect(await open().send(ofRevision(1, { order: '{"weight":1.10}' }))).toEqual({ status: 200, leftOut: ['order'] });
    const { signals } = await readRun(workflowId);
    expect(JSON.parse(signals[0]?.bodies?.[0] ?? '').data).toMatchObject({ order: null, missing: ['order'] });
  });

  it.each([3, 5])('get announcements without records where those are %i MB, and too large', async (megabytes) => {
    const { workflowId, ofRevision } = newOrder();
    const order = JSON.stringify({ notes: 'x'.repeat(megabytes * 2 ** 20) });
    expect(await open({ detail: 'full' }).send(ofRevision(1, { order }))).toEqual({ status: 200, leftOut: ['order'] });
    expect((await readRun(workflowId)).signals).toHaveLength(1);
  });

  it('are found by a template, and signaled by one', async () => {
    const referenceNumber = `PO ${randomUUID()}`;
    const { ofRevision } = newOrder({ referenceNumber, customerId: '418' });
    await open({ workflowId: '{customer}/{referenceNumber}', signal: '{milestone}' }).send(ofRevision(1));
    expect((await readRun(`418/${referenceNumber}`)).signals).toMatchObject([{ name: 'packed' }]);
  });

  it('are not guessed where a template lacks a value', async () => {
    const failure = await open({ workflowId: 'fulfillment-{referenceNumber}' }).failure(newOrder().ofRevision(1));
    expect(failure).toMatchObject({
      code: 'ERR_DESTINATION_REFUSED',
      message: 'fulfillment-{referenceNumber} needs {referenceNumber}, which is not known of this order',
    });
  });

  it('are none of Dockline', async () => {
    const { id, ofRevision } = newOrder();
    expect(await open({ workflowId: '{kind}:{tenant}:{id}' }).failure(ofRevision(1))).toMatchObject({
      code: 'ERR_DESTINATION_REFUSED',
      message: `order:9104:${id} is the id of one of Dockline's own workflows`,
    });
  });

  describe('that have ended', () => {
    async function openEnded(whenClosed: TemporalDestinationOptions['whenClosed']) {
      const { workflowId, ofRevision } = newOrder();
      const { send, failure } = open({ whenClosed });
      await send(ofRevision(1));
      const handle = server.client.workflow.getHandle(workflowId);
      const { runId } = await handle.describe();
      await handle.terminate();
      return { workflowId, ofRevision, send, failure, runId };
    }

    it('run again by default', async () => {
      const { workflowId, ofRevision, send, runId } = await openEnded('start');
      expect(await send(ofRevision(2))).toEqual({ status: 200 });
      const run = await server.client.workflow.getHandle(workflowId).describe();
      expect(run.runId).not.toBe(runId);
      expect((await readRun(workflowId)).signals).toHaveLength(1);
    });

    it('stay ended where announcements are skipped, and count as delivered', async () => {
      const { workflowId, ofRevision, send, runId } = await openEnded('skip');
      expect(await send(ofRevision(2))).toEqual({ status: 200 });
      expect(await server.client.workflow.getHandle(workflowId).describe()).toMatchObject({ runId });
    });

    it('stay ended where announcements are refused, and fail', async () => {
      const { ofRevision, failure } = await openEnded('refuse');
      expect(await failure(ofRevision(2))).toMatchObject({ code: 'ERR_DESTINATION_REFUSED', status: 409 });
    });

    it('do not run again for the announcement that ended them, whose acknowledgment was lost', async () => {
      const { workflowId, ofRevision, send, runId } = await openEnded('start');
      expect(await send(ofRevision(1))).toEqual({ status: 200 });
      expect(await server.client.workflow.getHandle(workflowId).describe()).toMatchObject({ runId });
    });

    it('do not run again for one that a run before had, which they continue', async () => {
      const { id, workflowId, ofRevision } = newOrder();
      const taskQueue = `queue-${id}`;
      const { send } = open({ taskQueue });
      await send(ofRevision(1));
      await continueAsNew(taskQueue);
      await server.client.workflow.getHandle(workflowId).terminate();
      const { runId } = await server.client.workflow.getHandle(workflowId).describe();
      expect((await readRun(workflowId)).signals).toEqual([]);
      await send(ofRevision(1));
      expect(await server.client.workflow.getHandle(workflowId).describe()).toMatchObject({ runId });
    });

    it('run again for a replay', async () => {
      const { workflowId, ofRevision, send, runId } = await openEnded('start');
      await send({ ...ofRevision(1), isReplay: true });
      const run = await server.client.workflow.getHandle(workflowId).describe();
      expect(run.runId).not.toBe(runId);
    });
  });

  it('get a replay each time, marked as one', async () => {
    const { workflowId, ofRevision } = newOrder();
    const { send } = open();
    await send(ofRevision(1));
    for (let times = 0; times < 2; times += 1) await send({ ...ofRevision(1), isReplay: true });
    const { signals } = await readRun(workflowId);
    expect(signals.map(({ bodies }) => JSON.parse(bodies?.[0] ?? '').data.replay)).toEqual([undefined, true, true]);
  });

  describe('fail', () => {
    it('while their namespace is missing, which concerns every announcement', async () => {
      const { failure } = open({ url: `temporal://${inject('temporalAddress')}/missing` });
      expect(await failure(newOrder().ofRevision(1))).toMatchObject({ code: 'ERR_DESTINATION_FAILED', status: 404 });
    });

    it('while their server is away, which is said within the timeout', async () => {
      const { failure } = open({ url: 'temporal://127.0.0.1:1/default', timeoutMs: 300 });
      expect(await failure(newOrder().ofRevision(1))).toMatchObject({ code: 'ERR_DESTINATION_UNREACHABLE' });
    });

    it('while their server hangs, which is said after the timeout', async () => {
      const { failure } = open({ url: `temporal://127.0.0.1:${await openBlackHole()}/default`, timeoutMs: 300 });
      expect(await failure(newOrder().ofRevision(1))).toMatchObject({ code: 'ERR_DESTINATION_UNREACHABLE' });
    });

    it('if their id is too long, which concerns one announcement', async () => {
      const { ofRevision } = newOrder({ referenceNumber: 'x'.repeat(2000) });
      const failure = await open({ workflowId: '{referenceNumber}' }).failure(ofRevision(1));
      expect(failure).toMatchObject({ code: 'ERR_DESTINATION_REFUSED', status: 400 });
    });

    it('at an internal address that is not allowed', async () => {
      const { failure } = open({ url: 'temporals://169.254.169.254:7233/default' });
      expect(await failure(newOrder().ofRevision(1))).toMatchObject({ code: 'ERR_DESTINATION_ADDRESS' });
    });
  });

  it('are reached through TLS, with a client certificate and an API key', async () => {
    const authority = await createAuthority();
    const [{ cert, key }, client] = [await authority.sign('localhost'), await authority.sign('dockline')];
    const proxy = await startTlsProxy({ cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: true });
    const url = `temporals://${proxy.address.replace('127.0.0.1', 'localhost')}/default`;
    const { workflowId, ofRevision } = newOrder();
    const secured = open({ url, bearer: 'shush', tls: { ca: authority.cert, ...client } });
    expect(await secured.send(ofRevision(1))).toMatchObject({ status: 200 });
    expect((await readRun(workflowId)).signals).toHaveLength(1);
    const unknown = open({ url, tls: { ca: authority.cert }, timeoutMs: 1000 });
    expect(await unknown.failure(ofRevision(2))).toMatchObject({ code: 'ERR_DESTINATION_UNREACHABLE' });
  });

  describe('are tested', () => {
    it('by looking for workers, of which there are none yet', async () => {
      expect(await open({ taskQueue: 'nobody' }).failure(createTestAnnouncement('9104'))).toMatchObject({
        status: 503,
        message: expect.stringContaining('no worker polls the task queue nobody'),
      });
    });

    it('by looking for workers, and nothing is signaled', async () => {
      const namespace = await createNamespace();
      const { connection } = server;
      const taskQueue = { name: 'fulfillment' };
      void connection.workflowService
        .pollWorkflowTaskQueue({ namespace, taskQueue, identity: 'worker' })
        .catch(() => undefined);
      const { send } = open({ url: `temporal://${inject('temporalAddress')}/${namespace}`, taskQueue: 'fulfillment' });
      await expect.poll(() => send(createTestAnnouncement('9104')).then(({ status }) => status, String)).toBe(200);
      expect((await connection.workflowService.countWorkflowExecutions({ namespace })).count.toNumber()).toBe(0);
    });
  });
});
