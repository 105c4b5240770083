import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '../../sandbox/receiver/receiver.ts';
import { statusOf } from '../faults/fixture/dockline-process.ts';
import { injectFileSizeLimit, limitFileSize } from '../faults/injection/injection.ts';
import { type Installation, openWithOrder } from './installation.ts';
import { runbookOf } from './runbook.ts';

const untilFailing = ({ admin }: Installation) =>
  expect.poll(() => admin('subjects --attention failing')).toContain('failing');

/** A condition holds for a minute before it is one. */
const untilIncident = ({ admin }: Installation) =>
  expect.poll(() => admin('status'), { timeout: 90_000 }).toContain('Incidents');

describe('the runbook', () => {
  it('of a warehouse that is down shows what fails, and nothing has to be done', async () => {
    const installation = await openWithOrder();
    const { simulator, orderId } = installation;
    const runbook = runbookOf('The warehouse is down', installation);
    simulator.setFaults({ down: true, tokenToo: true });
    await simulator.emit(orderId, 'OrderConfirm');
    await untilFailing(installation);
    await untilIncident(installation);
    expect(await runbook.step('status')).toMatch(/lastAnswer|503|token/);
    expect(await runbook.step('failing')).toContain(orderId);
    runbook.end();
    simulator.setFaults({ down: false });
    await installation.untilAnnounced();
  });

  it('of what waits for the warehouse, and of reconciliation, lists and compares', async () => {
    const installation = await openWithOrder();
    const late = runbookOf('Orders are late or stalled', installation);
    await late.step('overdue');
    await late.step('atRisk');
    await late.step('stalled');
    late.end();
    const reconciliation = runbookOf('Reconciliation fails or finds differences', installation);
    await reconciliation.step('reconcile');
    await reconciliation.mentioned('webhooks');
    reconciliation.end();
  });

  it('of a refused credential finds the reason, and a renewed one is enough', async () => {
    const installation = await openWithOrder();
    const { simulator, orderId } = installation;
    const runbook = runbookOf('The warehouse refuses the credential', installation);
    simulator.setFaults({ unauthenticated: true, tokenToo: true });
    simulator.revokeTokens();
    await simulator.emit(orderId, 'OrderConfirm');
    await untilFailing(installation);
    await untilIncident(installation);
    expect(await runbook.step('status')).toMatch(/401|credential/);
    expect(await runbook.step('doctor', { exits: 1 })).toMatch(/token +.*failed|failed.*token/s);
    runbook.end();
    simulator.setFaults({ unauthenticated: false, tokenToo: false });
    await installation.untilAnnounced();
  });

  it('of a missing role names it, and a refresh retrieves an order once it is granted', async () => {
    const installation = await openWithOrder();
    const { simulator, orderId } = installation;
    const runbook = runbookOf('A role is missing', installation);
    simulator.setFaults({ forbidden: ['getOrder'] });
    await simulator.emit(orderId, 'OrderConfirm');
    await untilFailing(installation);
    expect(await runbook.step('doctor', { exits: 1 })).toContain('403');
    expect(await runbook.step('failing')).toContain(orderId);
    simulator.setFaults({ forbidden: [] });
    await runbook.step('refresh', { replace: { 31004581: orderId } });
    runbook.end();
    await installation.untilAnnounced();
  });

  it('of a destination that is gone sends to another what was not sent', async () => {
    const installation = await openWithOrder({ ANNOUNCE_FOR_MS: '8000' });
    const { simulator, orderId } = installation;
    const runbook = runbookOf('A destination is gone for good', installation);
    installation.receiver.setAnswer(500);
    await simulator.emit(orderId, 'OrderPickJobDone');
    const dead = () => installation.admin('announcements --state dead-lettered');
    await expect.poll(dead).toContain(orderId);
    installation.receiver.setAnswer(410);
    await simulator.emit(orderId, 'OrderConfirm');
    const stopped = () => installation.admin('destinations --state stopped');
    await expect.poll(stopped).toContain('default');
    const secret = installation.secret;
    const other = await startReceiver({ port: 0, secret });
    onTestFinished(() => other.close());
    await installation.configure({ ANNOUNCE_URL: other.url });
    await installation.stop();
    await installation.start();
    await runbook.step('unsent');
    await runbook.step('resume');
    await runbook.step('resend');
    runbook.end();
    await expect
      .poll(() => other.received().map(({ type }) => type))
      .toEqual(expect.arrayContaining(['dockline.order.picked', 'dockline.order.confirmed']));
  });

  it('of a full disk shows it, and Dockline goes on by itself once there is room', async () => {
    const injection = await injectFileSizeLimit();
    const installation = await openWithOrder({}, injection.args);
    const { simulator, webhookUrl } = installation;
    const readiness = () => statusOf(new URL('/health/ready', webhookUrl).href);
    const runbook = runbookOf('The disk is full', installation);
    await limitFileSize(installation.process.pid(), 4_096);
    const playing = installation.play();
    await expect.poll(readiness).toBe('503');
    expect(await runbook.step('status')).toContain('waiting');
    runbook.end();
    await limitFileSize(installation.process.pid());
    await playing;
    await installation.untilAnnounced();
    expect(await readiness()).toBe('200');
    expect(simulator.counts().answered['503']).toBeGreaterThan(0);
  });

  it('of a lost database makes known what is open without announcing it', async () => {
    const installation = await openWithOrder();
    const { simulator, receiver, orderId } = installation;
    const runbook = runbookOf('The database is lost', installation);
    await installation.process.kill();
    await installation.run('rm .dockline/dockline.db*');
    await installation.start();
    const before = receiver.received().length;
    await runbook.step('backfill');
    await expect.poll(() => installation.admin('status')).toMatch(/\bwaiting: 0\b/);
    expect(await runbook.step('status')).toMatch(/order +\w+ +1/);
    runbook.end();
    expect(receiver.received()).toHaveLength(before);
    await simulator.emit(orderId, 'OrderConfirm');
    await expect.poll(() => receiver.received().map(({ id }) => id)).toContain(`order:9104:${orderId}/1/confirmed`);
  });
});
