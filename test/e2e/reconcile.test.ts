import { describe, expect, it } from 'vitest';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import type { SubjectTruth } from '../../src/sandbox/simulator/state/book.ts';
import { type SweptSystem, startSweptSystem } from '../support/swept-system.ts';
import type { SystemTenant } from '../support/system.ts';

/** The subjects whose stage is not the true one; what was deleted before anybody heard of it is no loss. */
async function wrongIn({ simulator, stages }: SweptSystem): Promise<readonly string[]> {
  const known = await stages();
  const isWrong = (truth: SubjectTruth) =>
    known[subjectKey(truth)] !== truth.stage && !(truth.stage === 'deleted' && !known[subjectKey(truth)]);
  return simulator.truth().filter(isWrong).map(subjectKey);
}

const nothing = expect.objectContaining({ differing: 0, missing: 0, fed: 0 });

describe('after a sweep', () => {
  it.each([0.05, 0.3])('everything is in its true stage, though %d of all events never came', async (drop) => {
    const system = await startSweptSystem({ simulator: { seed: 5, rates: { drop, duplicate: 0.1 } } });
    const { simulator, announced, receiver, sweep, isQuiet } = system;
    await simulator.play({ orders: 40, receipts: 30 });
    await expect.poll(isQuiet, { timeout: 30_000 }).toBe(true);
    // Of a few lost events, on a busy machine, late GETs may have shown each.
    if (drop > 0.1) expect(await wrongIn(system)).not.toEqual([]);

    const { tallies } = await sweep({ pageSize: 7 });
    expect(Object.keys(tallies)).toEqual(['order', 'receipt']);
    await expect.poll(() => wrongIn(system), { timeout: 30_000 }).toEqual([]);
    await expect.poll(isQuiet, { timeout: 30_000 }).toBe(true);
    for (const { kind, id, events } of simulator.truth()) {
      const happened = events.map(({ milestone }) => milestone as string);
      for (const text of announced(id, kind)) {
        const milestone = text.replace(/^\d+\/| late$| inferred$/g, '');
        expect(happened, `${kind} ${id}`).toContain(milestone);
        happened.splice(happened.indexOf(milestone), 1);
      }
    }
    expect(receiver.tally().outOfOrder).toBe(0);
    expect((await sweep()).tallies).toEqual({ order: nothing, receipt: nothing });
  });

  it('what nobody told of is known, what was closed is closed, what was deleted is deleted', async () => {
    const { simulator, announced, sweep } = await startSweptSystem();
    const [unknown, closed, reopened, deleted] = [1, 2, 3, 4].map(() => simulator.createOrder()) as [
      string,
      string,
      string,
      string,
    ];
    const receipt = simulator.create('receipt');
    await simulator.emit(closed, 'OrderCreate');
    await simulator.emit(reopened, 'OrderConfirm');
    await simulator.emit(deleted, 'OrderCreate');
    await simulator.emit(receipt, 'ReceiptCreate');
    for (const id of [closed, deleted]) {
      await expect.poll(() => announced(id), { timeout: 20_000 }).toEqual(['1/created']);
    }
    await expect.poll(() => announced(reopened), { timeout: 20_000 }).toHaveLength(2);
    await expect.poll(() => announced(receipt, 'receipt'), { timeout: 20_000 }).toHaveLength(1);

    await simulator.emit(closed, 'OrderConfirm', { deliver: false });
    await simulator.emit(reopened, 'OrderUnconfirm', { deliver: false });
    await simulator.emit(deleted, 'OrderDeleted', { deliver: false });
    await simulator.emit(receipt, 'ReceiptCancel', { deliver: false });
    expect(await sweep()).toMatchObject({
      tallies: {
        order: { rows: 3, differing: 3, missing: 1, fed: 4 },
        receipt: { rows: 1, differing: 1, missing: 0, fed: 1 },
      },
    });
    await expect.poll(() => announced(unknown), { timeout: 20_000 }).toEqual(['1/created inferred']);
    await expect.poll(() => announced(closed), { timeout: 20_000 }).toEqual(['1/created', '2/confirmed inferred']);
    await expect
      .poll(() => announced(reopened))
      .toEqual(['1/created inferred', '2/confirmed', '3/unconfirmed inferred']);
    await expect.poll(() => announced(deleted), { timeout: 20_000 }).toEqual(['1/created', '2/deleted inferred']);
    await expect
      .poll(() => announced(receipt, 'receipt'), { timeout: 20_000 })
      .toEqual(['1/created', '2/canceled inferred']);
  });

  it('an event that was only late is absorbed', async () => {
    const { simulator, announced, sweep, isQuiet } = await startSweptSystem();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const late = await simulator.emit(orderId, 'OrderCancel', { deliver: false });
    await sweep();
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created', '2/canceled inferred']);
    await simulator.deliver(late);
    await expect.poll(isQuiet, { timeout: 20_000 }).toBe(true);
    expect(announced(orderId)).toEqual(['1/created', '2/canceled inferred']);
  });

  it('what is open was looked at, however long ago it changed', async () => {
    const { simulator, announced, sweep } = await startSweptSystem({ simulator: { utcOffsetMinutes: -720 } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toHaveLength(1);
    await simulator.emit(orderId, 'OrderConfirm', { deliver: false });
    expect(await sweep({ overlapMs: 0 })).toMatchObject({
      tallies: { order: { rows: 0, open: 1, differing: 1, fed: 1 } },
    });
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created', '2/confirmed inferred']);
  });
});

describe('a sweep', () => {
  it.each([-720, 0, 840])('finds what changed just now where the warehouse is %d minutes from UTC', async (offset) => {
    const { simulator, sweep } = await startSweptSystem({ simulator: { utcOffsetMinutes: offset } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate', { deliver: false });
    expect(await sweep({ since: Date.now() - 60_000 })).toMatchObject({ tallies: { order: { rows: 1, fed: 1 } } });
    const { order } = (await sweep({ since: Date.now() - 60_000, overlapMs: 0 })).tallies;
    expect(order?.rows).toBe(offset < 0 ? 0 : 1);
  });

  it('of many pages continues as new and comes to the same', async () => {
    const { simulator, sweep, service, tenant } = await startSweptSystem();
    for (let i = 0; i < 12; i += 1) simulator.createOrder();
    expect(await sweep({ pageSize: 5, pagesPerRun: 1 })).toMatchObject({
      tallies: { order: { rows: 12, differing: 12, fed: 12 }, receipt: { rows: 0 } },
    });
    const ended = `WorkflowId = 'reconcile:${tenant}:on-demand' AND ExecutionStatus = 'ContinuedAsNew'`;
    const { workflow } = service().webhook.client;
    await expect
      .poll(async () => (await Array.fromAsync(workflow.list({ query: ended }))).length, { timeout: 20_000 })
      .toBe(5);
  });

  it('is of one tenant, though another has the same orders', async () => {
    const { tenants, sweep } = await startSweptSystem({ tenants: [{}, {}] });
    const [swept, other] = tenants as [SystemTenant, SystemTenant];
    const orderId = swept.simulated.createOrder();
    expect(other.simulated.createOrder()).toBe(orderId);
    expect(await sweep()).toMatchObject({ tenant: swept.tenant, tallies: { order: { fed: 1 } } });
    await expect.poll(() => swept.announced(orderId), { timeout: 20_000 }).toEqual(['1/created inferred']);
    expect(other.announced(orderId)).toEqual([]);
  });

  it('can cover adjustments and assemblies too', async () => {
    const { simulator, sweep, announced } = await startSweptSystem({
      env: { RECONCILE_KINDS: 'adjustment,assembly' },
    });
    const adjustment = simulator.create('adjustment');
    const assembly = simulator.create('assembly');
    await simulator.emit(assembly, 'AssemblyConfirm', { deliver: false });
    await sweep();
    await expect.poll(() => announced(adjustment, 'adjustment'), { timeout: 20_000 }).toEqual(['1/created inferred']);
    await expect
      .poll(() => announced(assembly, 'assembly'), { timeout: 20_000 })
      .toEqual(['1/created inferred', '2/confirmed inferred']);
  });

  it('fails where the warehouse does not apply its filter, and takes in nothing', async () => {
    const { simulator, sweep, announced, service } = await startSweptSystem({ simulator: { utcOffsetMinutes: -720 } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toHaveLength(1);
    await simulator.emit(orderId, 'OrderConfirm', { deliver: false });
    simulator.setFaults({ ignoreRql: true });
    await expect(sweep({ overlapMs: 0 })).rejects.toThrow(
      new RegExp(
        `^order: GET /orders answered with order ${orderId}, changed .+: the warehouse did not apply the filter$`,
      ),
    );
    const taken = service().store.db.selectFrom('inbox').where('endpoint', '=', 'reconciliation').selectAll();
    expect(await taken.execute()).toEqual([]);
    simulator.setFaults({ ignoreRql: false });
    await sweep();
    expect(await taken.execute()).toHaveLength(1);
    expect(service().webhook.counts()).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it('of one kind that may not be listed gives up in the end and holds back no other', async () => {
    const { simulator, sweep, announced } = await startSweptSystem({
      env: { RETRY_SLOW_MS: '10', RECONCILE_KINDS: 'receipt,order' },
      simulator: { faults: { forbidden: ['getReceivers'] } },
    });
    const orderId = simulator.createOrder();
    await expect(sweep()).rejects.toThrow(/^receipt: GET \/inventory\/receivers answered 403/);
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created inferred']);
  });

  it('waits until the warehouse answers again', async () => {
    const { simulator, sweep, announced } = await startSweptSystem({ simulator: { faults: { down: true } } });
    const orderId = simulator.createOrder();
    const sweeping = sweep();
    await expect.poll(() => simulator.counts().calls.getOrders, { timeout: 20_000 }).toBeGreaterThan(1);
    simulator.setFaults({ down: false });
    expect(await sweeping).toMatchObject({ tallies: { order: { rows: 1 } } });
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created inferred']);
  });
});
