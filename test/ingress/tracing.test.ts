import { describe, expect, it } from 'vitest';
import { openTraces } from '../observability/tracing/open-traces.ts';
import { message, openWebhook, TOKEN } from './open-webhook.ts';

const theirs = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

describe('a traced delivery', () => {
  it('has a span with its outcome, whose trace is stored with the event; that of the warehouse is linked', async () => {
    const { tracing, collector } = await openTraces();
    const { post, store } = await openWebhook({ tracing });
    expect((await post(message, { traceparent: theirs })).statusCode).toBe(200);
    await tracing.close();
    const [span] = collector.spans();
    expect(span).toMatchObject({
      name: 'POST /webhooks/:endpoint',
      parentId: '',
      links: [`${'ab'.repeat(16)} ${'cd'.repeat(8)}`],
      attributes: { 'dockline.endpoint': 'open', 'dockline.outcome': 'accepted', 'dockline.subject': 'order:9104:7' },
    });
    expect((await store.inbox.waitingOf('order:9104:7')).traces).toEqual([`00-${span?.traceId}-${span?.spanId}-01`]);
  });

  it('stores its trace with every row of its message', async () => {
    const { tracing, collector } = await openTraces();
    const { post, store } = await openWebhook({ tracing, bodyLimit: 10_000 });
    const row = (id: number) => ({ facilityId: 12, itemIdentifier: { id }, qualifier: '', onHand: 1 });
    const body = JSON.stringify({ summaries: [row(1), row(2)] });
    const rows = { tplId: 9104, wmsEventId: 1, eventType: 'InventorySummaryUpdate', resource: { body } };
    expect((await post(JSON.stringify(rows))).statusCode).toBe(200);
    await tracing.close();
    const [{ traceId = '' } = {}] = collector.spans();
    for (const id of ['12.1.', '12.2.']) {
      expect((await store.inbox.waitingOf(`stock:9104:${id}`)).traces).toEqual([expect.stringContaining(traceId)]);
    }
  });

  it('has no span if it is forged', async () => {
    const { tracing, collector } = await openTraces();
    const { post } = await openWebhook({ tracing });
    const send = (authorization: string) => post(message, { authorization }, '/webhooks/token');
    expect((await send('Bearer forged')).statusCode).toBe(401);
    expect((await send(`Bearer ${TOKEN}`)).statusCode).toBe(200);
    await tracing.close();
    expect(collector.spans()).toHaveLength(1);
  });
});
