import { pino } from 'pino';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startRoles } from '../../src/app/service.ts';
import { loadConfig } from '../../src/config/config.ts';
import { describeOnPostgres } from '../store/databases.ts';
import { useReplayer } from '../support/replayer.ts';
import { deliver, expectUpdates, REDISPATCH_AFTER_MS, startSlow, untilRetrieving } from '../support/slow-order.ts';
import type { System } from '../support/system.ts';

const replayer = useReplayer();

async function expectReplay({ service, workflowId }: System, id: string): Promise<void> {
  const history = await service().webhook.client.workflow.getHandle(workflowId(id)).fetchHistory();
  await replayer.replay(history, workflowId(id));
}

describe('an order while its GET is slow', () => {
  it('continues and replays after 140 signals during one GET and a restart of Dockline', async () => {
    const { system, id } = await startSlow(1);
    const { simulator, service, workflowId, announced, restart, receiver } = system;
    const expected = ['1/created', '2/fullyAllocated', '3/updated', '4/updated', '5/updated'];
    await untilRetrieving(system, () => simulator.emit(id, 'OrderFullyAllocated'));
    const workflow = service().webhook.client.workflow.getHandle(workflowId(id));
    const signals = Array.from({ length: 140 }, () => workflow.signal('events', []));
    await Promise.all([...signals, deliver(system, id, 2)]);
    await expect.poll(() => announced(id)).toEqual(expected.slice(0, 4));
    await restart();
    await simulator.emit(id, 'OrderUpdate');
    await expect.poll(() => announced(id)).toEqual(expected);
    expect(receiver.tally()).toEqual({ received: 5, duplicates: 0, outOfOrder: 0 });
    await expectReplay(system, id);
  });
});

describeOnPostgres('two dispatchers on one database', (database) => {
  it('announce each of 50 events once while the GET is slow', async () => {
    await database.locate();
    const { system, id } = await startSlow(1, { env: { DATABASE_URL: database.url } });
    await startDispatcher(system, database.url);
    await deliver(system, id, 50);
    await expectUpdates(system, id, 50);
    await system.restart();
    await deliver(system, id, 1);
    await expectUpdates(system, id, 51);
    expect(system.receiver.tally()).toEqual({ received: 52, duplicates: 0, outOfOrder: 0 });
    await expectReplay(system, id);
  });
});

/** Starts a second dispatcher on the database and the task queue of the system. */
async function startDispatcher({ simulator }: System, url: string): Promise<void> {
  const dispatcher = await startRoles({
    roles: ['dispatcher'],
    config: loadConfig({ REDISPATCH_AFTER_MS, DATABASE_URL: url }),
    dependencies: { temporal: { address: inject('temporalAddress') }, tenants: [], alerts: undefined },
    logger: pino({ level: 'silent' }),
    onFailure: (error) => {
      throw error;
    },
    taskQueue: `test-${simulator.tplId}`,
  });
  onTestFinished(() => dispatcher.close());
}
