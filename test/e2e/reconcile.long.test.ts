import { describe, expect, it } from 'vitest';
import type { SubjectTruth } from '../../sandbox/simulator/state/book.ts';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { type SweptSystem, startSweptSystem } from '../support/swept-system.ts';

/** Returns the subjects in a wrong stage; one that was deleted before any event of it arrived may be unknown. */
async function wrongIn({ simulator, stages }: SweptSystem): Promise<readonly string[]> {
  const known = await stages();
  const isWrong = (truth: SubjectTruth) =>
    known[subjectKey(truth)] !== truth.stage && !(truth.stage === 'deleted' && !known[subjectKey(truth)]);
  return simulator.truth().filter(isWrong).map(subjectKey);
}

const nothing = expect.objectContaining({ differing: 0, missing: 0, fed: 0 });

describe('a sweep', () => {
  it('leaves everything in its true stage, although three tenths of all events never arrived', async () => {
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

  it('finds recent changes in a warehouse whose clocks are twelve hours behind, and continues as new after a page', async () => {
    const { simulator, sweep, service, tenant } = await startSweptSystem({ tenants: [{ utcOffsetMinutes: -720 }] });
    for (let i = 0; i < 12; i += 1) simulator.createOrder();
    expect(await sweep({ since: Date.now() - 60_000, pageSize: 5, pagesPerRun: 1 })).toMatchObject({
      tallies: { order: { rows: 12, differing: 12, fed: 12 }, receipt: { rows: 0 } },
    });
    // Four pages of orders, of which the last has no rows, and one page of each other part: each but the last continues as new.
    const ended = `WorkflowId = 'reconcile:${tenant}:on-demand' AND ExecutionStatus = 'ContinuedAsNew'`;
    const { workflow } = service().webhook.client;
    await expect.poll(async () => (await Array.fromAsync(workflow.list({ query: ended }))).length).toBe(6);
    const { order } = (await sweep({ since: Date.now() - 60_000, overlapMs: 0 })).tallies;
    expect(order?.rows).toBe(0);
  });
});
