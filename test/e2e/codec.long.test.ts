import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { orderLifecycle } from '../support/order-lifecycle.ts';
import { readable } from '../support/readable.ts';
import { useSystem } from '../support/shared-system.ts';
import { type System, startSystem } from '../support/system.ts';

const keyOf = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
const token = 'a-token-of-tenants';
const encrypted = { TEMPORAL_CODEC_KEYS: keyOf('first'), CODEC_PORT: '0', CODEC_TOKEN: token };
const REFERENCE = 'PO-of-somebody';

const shared = useSystem({ env: encrypted });

/** Takes an order through its lifecycle, and sends its workflow a query and an update. */
async function completeOrder({ simulator, announced, view, service, workflowId }: System) {
  const orderId = simulator.createOrder({ customerId: 419, referenceNum: REFERENCE });
  const eventIds: string[] = [];
  for (const name of orderLifecycle) {
    const { id } = await simulator.emit(orderId, name);
    eventIds.push(id);
    await expect.poll(() => announced(orderId)).toHaveLength(eventIds.length);
  }
  await expect.poll(() => view(orderId)).toMatchObject({ stage: 'confirmed', waiting: { announcements: 0 } });
  const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
  expect(await workflow.executeUpdate('refresh')).toMatchObject({ stage: 'confirmed' });
  return { orderId, eventIds, workflow };
}

type Workflow = Awaited<ReturnType<typeof completeOrder>>['workflow'];

/** Everything that Temporal stores of a workflow, as text; without search attributes, which are never encrypted. */
async function recordsOf(workflow: Workflow): Promise<string> {
  const parts = [await workflow.fetchHistory(), (await workflow.describe()).raw];
  return readable(parts, ['searchAttributes']);
}

/** Facts of the order, each from another kind of payload: signals, results of activities, memo, summaries, details. */
const factsOf = (eventIds: readonly string[]) => [
  ...eventIds,
  REFERENCE,
  'Brightwater Audio',
  'GET order 200',
  'fullyAllocated',
  'gracePeriodMs',
];

describe("Temporal's records of an order", () => {
  it('reveal nothing when a key is set, and the client reads them', async () => {
    const { workflow, eventIds } = await completeOrder(shared());
    const text = await recordsOf(workflow);
    expect(factsOf(eventIds).filter((fact) => text.includes(fact))).toEqual([]);
    // Only the SDK's own markers: the type and times of a local activity, the name of a patch.
    expect(text.match(/json\/plain/g)).toHaveLength(text.match(/markerName core_/g)?.length ?? 0);
    const description = await workflow.describe();
    expect(description.memo).toMatchObject({ kind: 'order', reference: REFERENCE, customer: 'Brightwater Audio' });
    expect(await description.staticSummary()).toMatch(/^order \d+ of warehouse/);
    expect(await workflow.query('timeline')).toContainEqual(expect.stringContaining('**confirmed**'));
  });

  it('reveal everything when no key is set', async () => {
    const { workflow, eventIds } = await completeOrder(await startSystem());
    const text = await recordsOf(workflow);
    expect(factsOf(eventIds).filter((fact) => !text.includes(fact))).toEqual([]);
  });
});

describe('a failure', () => {
  it('is stored encrypted, and the codec endpoint decodes its message', async () => {
    const { simulator, service, workflowId } = shared();
    simulator.setFaults({ forbidden: ['getOrder'] });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
    const lastFailure = async () => (await workflow.describe()).raw.pendingActivities?.[0]?.lastFailure;
    await expect.poll(lastFailure).toBeTruthy();
    const failure = await lastFailure();
    expect(failure?.applicationFailureInfo?.type).toBe('ERR_WAREHOUSE_FORBIDDEN');
    expect(readable(failure)).not.toMatch(/answered 403|\.ts:/);

    const { metadata, data } = failure?.encodedAttributes ?? {};
    const inJson = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
    const payload = { metadata: Object.fromEntries(inJson), data: Buffer.from(data ?? []).toString('base64') };
    const response = await fetch(`${service().codec?.url}/decode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ payloads: [payload] }),
    });
    const { payloads } = (await response.json()) as { payloads: readonly { readonly data: string }[] };
    const attributes = JSON.parse(Buffer.from(payloads[0]?.data ?? '', 'base64').toString());
    expect(attributes.message).toContain(`GET /orders/${orderId} answered 403`);
  });
});

describe('the codec endpoint', () => {
  it("serves Temporal's command line, which reads no payload without it", async () => {
    const system = shared();
    const { orderId, workflow } = await completeOrder(system);
    const endpoint = `${system.service().codec?.url}/{namespace}`;
    const address = ['--address', inject('temporalAddress'), '--workflow-id', workflow.workflowId, '--output', 'json'];
    const temporal = async (...args: string[]) =>
      (await promisify(execFile)(inject('temporalBinary'), ['workflow', ...args, ...address])).stdout;
    const codec = ['--codec-endpoint', endpoint, '--codec-auth'];

    const query = ['query', '--type', 'lifecycle'];
    expect(await temporal(...query)).not.toContain('confirmed');
    expect(await temporal(...query, ...codec, `Bearer ${token}`)).toContain('confirmed');
    const basic = Buffer.from(`tenant:${token}`).toString('base64');
    const inMemo = Buffer.from('"Brightwater Audio"').toString('base64');
    expect((await temporal('show')).includes(inMemo)).toBe(false);
    expect((await temporal('show', ...codec, `Basic ${basic}`)).includes(inMemo)).toBe(true);
    await expect(temporal(...query, ...codec, 'Bearer wrong')).rejects.toThrow(/Unauthorized|token/);

    const signal = ['signal', '--name', 'resend', '--input', `["order:1:${orderId}/1/of-nobody"]`];
    await temporal(...signal, ...codec, `Bearer ${token}`);
    await expect.poll(() => workflow.fetchHistory().then(({ events }) => readable(events))).toContain('resend');
    expect(await recordsOf(workflow)).not.toContain('of-nobody');
    expect(await system.view(orderId)).toMatchObject({ stage: 'confirmed' });
  });
});
