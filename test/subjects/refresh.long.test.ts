import { describe, expect, it } from 'vitest';
import { callsTo } from '../admin/open-admin.ts';
import { useSystem } from '../support/shared-system.ts';
import { type System, startSystem } from '../support/system.ts';

const shared = useSystem();

describe('a refresh', () => {
  it('of a hold is rejected with the reason, since no operation returns a hold', async () => {
    const { simulator, announced, service, workflowId } = shared();
    const { post } = callsTo(service().admin.url);
    const id = simulator.create('hold');
    await simulator.emit(id, 'InventoryPlaceOnHold');
    await expect.poll(() => announced(id, 'hold')).toEqual(['1/placedOnHold']);
    const [, tenant] = workflowId(id, 'hold').split(':');
    expect(await post(`/subjects/${tenant}/hold/${id}/refresh`)).toEqual({
      status: 409,
      type: 'application/problem+json',
      body: {
        type: 'about:blank',
        title: 'Conflict',
        status: 409,
        detail: 'Its workflow refuses: no operation returns a hold.',
      },
    });
  });

  it('starts a run if the last one has completed, with nothing of the subject but its name', async () => {
    const { simulator, service, workflowId } = await startSystem({ env: { GRACE_PERIOD_MS: '200' } });
    const { post } = callsTo(service().admin.url);
    const id = simulator.createOrder();
    await simulator.emit(id, 'OrderCreate');
    await simulator.emit(id, 'OrderCancel');
    const workflow = service().webhook.client.workflow.getHandle(workflowId(id));
    await expect.poll(async () => (await workflow.describe()).status.name).toBe('COMPLETED');
    const { runId } = await workflow.describe();

    const [, tenant = ''] = workflowId(id).split(':');
    const refreshed = await post(`/subjects/${tenant}/order/${id}/refresh`);
    expect(refreshed).toMatchObject({ status: 200, body: { stage: 'canceled' } });
    expect((await workflow.describe()).runId).not.toBe(runId);
    const { events } = await workflow.fetchHistory();
    const [started] = events ?? [];
    const [input] = started?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    const { subject } = JSON.parse(Buffer.from(input?.data ?? []).toString());
    expect(subject).toEqual({ tenant, kind: 'order', id });
    const memo = Object.keys(started?.workflowExecutionStartedEventAttributes?.memo?.fields ?? {});
    expect(memo.toSorted()).toEqual(['id', 'kind', 'tenant']);
  });
});

describe('a refresh that the warehouse does not serve', () => {
  async function openFailing(status: number, system: System = shared()) {
    const { simulator, announced, service, workflowId } = system;
    const calls = callsTo(service().admin.url);
    const id = simulator.createOrder();
    await simulator.emit(id, 'OrderCreate');
    await expect.poll(() => announced(id)).toEqual(['1/created']);
    simulator.setFaults({ statuses: { getOrder: status } });
    const [, tenant = ''] = workflowId(id).split(':');
    const auditOf = async () => {
      const { items } = (await calls.get('/audit?action=refresh')).body;
      return items.filter(({ target }: { readonly target: string }) => JSON.stringify(target).includes(id));
    };
    return { ...calls, path: `/subjects/${tenant}/order/${id}`, auditOf, simulator, service };
  }

  it('says so in the answer, in the audit log and on the page of the order, and not as good news', async () => {
    const { post, path, auditOf, service } = await openFailing(503);
    // On a busy machine the first answers may come later than the call waits for them.
    await expect
      .poll(() => post(`${path}/refresh`))
      .toMatchObject({
        status: 202,
        body: {
          outcome: 'failed',
          status: expect.stringMatching(/failed.* getOrder: .*answered 503/),
        },
      });
    const [newest] = await auditOf();
    expect(newest).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('answered 503') });
    const board = `${service().admin.url}/board`;
    const headers = { origin: service().admin.url, 'content-type': 'application/x-www-form-urlencoded' };
    const press = async () => {
      const answer = await fetch(`${board}${path}/refresh`, { method: 'POST', redirect: 'manual', headers });
      return answer.headers.get('location') ?? '';
    };
    expect(await press()).toMatch(/\?done=refresh-failed$/);
    const page = await (await fetch(`${board}${path}?done=refresh-failed`)).text();
    expect(page).toContain('<p class="problem" role="status" id="notice">The refresh failed');
  });

  it('has no answer yet while the warehouse is silent', async () => {
    const { post, path, auditOf, simulator } = await openFailing(503);
    simulator.setFaults({ statuses: {}, latencyMs: 3_600_000 });
    // On a busy machine Temporal may not take the first one in time.
    await expect.poll(() => post(`${path}/refresh`)).toMatchObject({ status: 202, body: { outcome: 'asked' } });
    const [newest] = await auditOf();
    expect(newest).toMatchObject({ outcome: null, detail: 'asked, no answer yet' });
  });
});
