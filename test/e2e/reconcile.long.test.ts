import { describe, expect, it } from 'vitest';
import type { SubjectTruth } from '../../sandbox/simulator/state/book.ts';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { type SweptSystem, startSweptSystem, useSweptSystem } from '../support/swept-system.ts';

/** Returns the subjects in a wrong stage; one that was deleted before any event of it arrived may be unknown. */
async function wrongIn({ simulator, stages }: SweptSystem): Promise<readonly string[]> {
  const known = await stages();
  const isWrong = (truth: SubjectTruth) =>
    known[subjectKey(truth)] !== truth.stage && !(truth.stage === 'deleted' && !known[subjectKey(truth)]);
  return simulator.truth().filter(isWrong).map(subjectKey);
}

const nothing = expect.objectContaining({ differing: 0, missing: 0, fed: 0 });

describe('after a sweep', () => {
  const shared = useSweptSystem({ reported: {}, open: { utcOffsetMinutes: -720 } });

  it('everything is in its true stage, although three tenths of all events never arrived', async () => {
    const system = await startSweptSystem({ simulator: { seed: 5, rates: { drop: 0.3, duplicate: 0.1 } } });
    const { simulator, announced, receiver, sweep, isQuiet } = system;
    await simulator.play({ orders: 10, receipts: 8 });
    await expect.poll(isQuiet).toBe(true);
    expect(await wrongIn(system)).not.toEqual([]);

    const { tallies } = await sweep({ pageSize: 7 });
    expect(Object.keys(tallies)).toEqual(['order', 'receipt']);
    await expect.poll(() => wrongIn(system), { interval: 250 }).toEqual([]);
    await expect.poll(isQuiet).toBe(true);
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

  it('unreported orders are known, closed ones are closed, and deleted ones are deleted', async () => {
    const { simulator, announced, sweep } = shared('reported');
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
      await expect.poll(() => announced(id)).toEqual(['1/created']);
    }
    await expect.poll(() => announced(reopened)).toHaveLength(2);
    await expect.poll(() => announced(receipt, 'receipt')).toHaveLength(1);

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
    await expect.poll(() => announced(unknown)).toEqual(['1/created inferred']);
    await expect.poll(() => announced(closed)).toEqual(['1/created', '2/confirmed inferred']);
    await expect
      .poll(() => announced(reopened))
      .toEqual(['1/created inferred', '2/confirmed', '3/unconfirmed inferred']);
    await expect.poll(() => announced(deleted)).toEqual(['1/created', '2/deleted inferred']);
    await expect.poll(() => announced(receipt, 'receipt')).toEqual(['1/created', '2/canceled inferred']);
  });

  it('open orders are checked, however long ago they changed', async () => {
    const { simulator, announced, sweep } = shared('open');
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId)).toHaveLength(1);
    await simulator.emit(orderId, 'OrderConfirm', { deliver: false });
    expect(await sweep({ overlapMs: 0 })).toMatchObject({
      tallies: { order: { rows: 0, open: 1, differing: 1, fed: 1 } },
    });
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/confirmed inferred']);
  });
});
