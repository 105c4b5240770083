import { describe, expect, it, onTestFinished } from 'vitest';
import { describeOnPostgres } from '../../test/store/databases.ts';
import { startOwnTemporal } from '../../test/support/own-temporal.ts';
import { statusOf } from '../faults/fixture/dockline-process.ts';
import { openGate } from '../faults/fixture/gate.ts';
import { type Installation, openWithOrder } from './installation.ts';
import { runbookOf } from './runbook.ts';

/** Stops Dockline and returns the end of its log. */
async function logOf(installation: Installation): Promise<string> {
  await installation.stop();
  return (await installation.process.ended()).stderr;
}

const AGAIN = 'workflow does not process its events or announcements; waking it again';

describe('the runbook', () => {
  it('of Temporal that is down and comes back empty shows that events wait, and nothing has to be done', async () => {
    const temporal = await startOwnTemporal();
    const installation = await openWithOrder({ TEMPORAL_ADDRESS: temporal.address, INBOX_LIMIT: '2' });
    const { simulator, orderId: quiet, run } = installation;
    const runbook = runbookOf('Nothing flows', installation);
    runbookOf('The inbox grows', installation).end();
    await temporal.stop();
    const others = [simulator.createOrder(), simulator.createOrder(), simulator.createOrder()];
    const emitted = others.map((id) => simulator.emit(id, 'OrderCreate'));
    await expect.poll(() => simulator.counts().answered['503'] ?? 0).toBeGreaterThan(0);
    const status = await runbook.mentioned('status');
    expect(status).toMatch(/waiting: 2\b/);
    expect(status).not.toContain('Failing');

    await temporal.replaceDatabase();
    await temporal.start();
    await Promise.all(emitted);
    await installation.untilAnnounced();
    const lost = runbookOf('Temporal lost its data, or came back with old data', installation);
    expect(await lost.mentioned('status')).toMatch(/waiting: 0\b[\s\S]*unsent: 0\b/);
    await lost.mentioned('reconcile');
    expect(await lost.mentioned('subjects')).toContain(quiet);
    const workflow = `npx dockline temporal workflow describe -w order:9104:${quiet}`;
    await lost.mentioned('refresh', { replace: { 31004581: quiet } });
    await expect.poll(async () => (await run(workflow)).code).toBe(0);
  });

  it('of a workflow that was terminated waits, and what was unsent is sent', async () => {
    const installation = await openWithOrder();
    const { simulator, receiver, orderId, run, admin } = installation;
    const runbook = runbookOf('A workflow was terminated, canceled, reset or deleted', installation);
    receiver.setAnswer(503);
    await simulator.emit(orderId, 'OrderConfirm');
    const unsent = () => admin('announcements --state unsent');
    await expect.poll(unsent).toContain(orderId);
    expect(await run(`npx dockline temporal workflow terminate -w order:9104:${orderId}`)).toMatchObject({ code: 0 });
    receiver.setAnswer(204);
    await installation.untilAnnounced();
    const show = () => runbook.mentioned('show', { replace: { 31004581: orderId } });
    await expect.poll(show).not.toMatch(/waits to be recorded|: unsent/);
    expect(await logOf(installation)).toMatch(new RegExp(`gone.*${AGAIN}|${AGAIN}.*gone`));
  });

  it('of a destination that was stopped shows why, and sends what has waited once it is resumed', async () => {
    const installation = await openWithOrder();
    const { simulator, receiver, orderId, admin } = installation;
    const runbook = runbookOf('A destination was stopped', installation);
    receiver.setAnswer(410);
    await simulator.emit(orderId, 'OrderConfirm');
    await expect.poll(() => admin('destinations')).toContain('stopped');
    expect(await runbook.step('destinations')).toContain('answered 410');
    expect(await runbook.step('destinations show default')).toMatch(/lastFailure.*status: 410/);
    receiver.setAnswer(204);
    expect(await runbook.step('test')).toMatch(/isDelivered +true/);
    await runbook.step('resume');
    runbook.end();
    await installation.untilAnnounced();
  });

  it('of a new key of the warehouse says that nothing has to be done', async () => {
    const installation = await openWithOrder();
    runbookOf('The warehouse changed its key', installation).end();
    installation.simulator.rotateKey();
    await installation.simulator.emit(installation.orderId, 'OrderConfirm');
    await installation.untilAnnounced();
    expect(installation.simulator.counts().answered['401'] ?? 0).toBe(0);
  });

  it('of refused senders names the proxy to trust', async () => {
    const installation = await openWithOrder();
    const { simulator, webhookUrl, orderId } = installation;
    runbookOf('The webhook endpoint refuses senders', installation).end();
    const forge = async (sender: string) => {
      const headers = { 'x-forwarded-for': sender };
      return (await fetch(webhookUrl, { method: 'POST', body: '{}', headers })).status;
    };
    const refuse = () => expect.poll(() => forge('203.0.113.7'), { interval: 1, timeout: 40_000 }).toBe(429);
    // A start forgets that the peer sent authentic deliveries.
    await installation.stop();
    await installation.start();
    await refuse();
    expect(await forge('203.0.113.8')).toBe(429);
    await installation.configure({ WEBHOOK_TRUSTED_PROXIES: '127.0.0.1' });
    expect(await logOf(installation)).toContain('too many deliveries of a peer failed; if it is a proxy');
    await installation.start();
    await refuse();
    expect(await forge('203.0.113.8')).toBe(401);
    await simulator.emit(orderId, 'OrderConfirm');
    await installation.untilAnnounced();
  });

  it('of a stuck order lists what its destination refuses, sends it again and takes the order off the list', async () => {
    const installation = await openWithOrder({ ANNOUNCE_FOR_MS: '2500' });
    const { simulator, receiver, orderId } = installation;
    const runbook = runbookOf('An order is stuck', installation);
    receiver.setAnswer(400);
    await simulator.emit(orderId, 'OrderPickJobDone');
    const dead = () => installation.admin('announcements --state dead-lettered');
    await expect.poll(dead).toMatch(/dead-lettered .* 400/);
    expect(await runbook.mentioned('--state unsent')).not.toContain(orderId);
    receiver.setAnswer(204);
    await runbook.mentioned('resend', {
      replace: { 'order:9104:31004581/3/packed': `order:9104:${orderId}/2/picked` },
    });
    await installation.untilAnnounced();
    await runbook.mentioned('release', { replace: { 31004581: orderId } });
  });

  it('of deliveries that could not be read reprocesses them once they are understood', async () => {
    const installation = await openWithOrder({ WEBHOOK_VERIFY: 'none' });
    const { webhookUrl, orderId, receiver } = installation;
    const runbook = runbookOf('An order is stuck', installation);
    const time = new Date().toISOString().slice(0, 19);
    const message = { tplId: 9104, wmsEventId: 7, eventType: 'OrderTouched', dateTime: time, resource: {} };
    const body = JSON.stringify({ ...message, data: JSON.stringify({ OrderId: orderId }) });
    expect((await fetch(webhookUrl, { method: 'POST', body })).status).toBe(200);
    const [, id = ''] = /^firstId +(\d+)$/m.exec(await runbook.mentioned('--summary')) ?? [];
    expect(await runbook.mentioned('webhooks show 17', { replace: { 17: id } })).toContain('OrderTouched');
    const names = runbookOf('Unknown names', installation);
    expect(await names.step('names')).toContain('OrderTouched');
    const accepted = { 'OrderConfirmV2 OrderConfirm': 'OrderTouched OrderUpdate' };
    expect(await names.step('names accept', { replace: accepted })).toMatch(/ingested +1/);
    names.end();
    const types = () => receiver.received().map(({ type }) => type);
    await expect.poll(types).toEqual(['dockline.order.created', 'dockline.order.updated']);
    await runbook.mentioned('bulk reprocess');
    expect(await runbook.mentioned('--summary')).not.toContain('OrderTouched');
  });
});

describeOnPostgres('the runbook', (database) => {
  it('of a process that does not run finds the reason, and waits for a database that does not answer', async () => {
    await database.locate();
    const { hostname, port } = new URL(database.url);
    const gate = await openGate({ host: hostname, port: Number(port) });
    onTestFinished(gate.close);
    const url = new URL(database.url);
    url.host = `127.0.0.1:${gate.port}`;
    const installation = await openWithOrder({ DATABASE_URL: url.href });
    const { simulator, webhookUrl, orderId } = installation;
    const health = (kind: string) => statusOf(new URL(`/health/${kind}`, webhookUrl).href);
    runbookOf('A process is down', installation).end();
    gate.set('closed');
    const emitted = simulator.emit(orderId, 'OrderConfirm');
    await expect.poll(() => simulator.counts().answered['503'] ?? 0).toBeGreaterThan(0);
    expect([await health('ready'), await health('live')]).toEqual(['503', '200']);
    gate.set('open');
    await emitted;
    await installation.untilAnnounced();

    await installation.stop();
    await installation.configure({ INBOX_LIMIT: 'many', ADMIN_TOKEN: 'secret' });
    await expect(installation.start()).rejects.toThrow(/INBOX_LIMIT[\s\S]*ADMIN_TOKEN/);
    expect((await installation.process.ended()).stderr).not.toContain('secret');
  });
});
