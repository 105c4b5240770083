import { describe, expect, it } from 'vitest';
import { collectEvidence } from '../../sandbox/demonstration/demonstrate.ts';
import { isWell, summarize } from '../../sandbox/demonstration/summary.ts';
import type { OrderScenario } from '../../sandbox/simulator/scenarios/scenarios.ts';
import type { SimulatorOptions } from '../../sandbox/simulator/simulator.ts';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { type System, startSystem } from '../support/system.ts';

/** Compares a system's announcements and stages with the simulator's records, as the demonstration does. */
async function summaryOf({ simulator, receiver, service }: System) {
  return summarize(await collectEvidence({ simulator, receiver, service: service() }, Date.now()));
}

async function expectWell(system: System) {
  await expect.poll(async () => isWell(await summaryOf(system)), { interval: 250 }).toBe(true);
  return await summaryOf(system);
}

const scenarioNames: readonly OrderScenario[] = [
  'straight',
  'noPickOrPack',
  'pickedByLine',
  'pickedAndPackedAgain',
  'pickedIncomplete',
  'excludedAndPickedLater',
  'reopened',
  'canceledEarly',
  'canceledLate',
  'deleted',
];

describe('every scenario of the player', () => {
  it('is announced completely, with each of its events', async () => {
    const system = await startSystem();
    for (const scenario of scenarioNames) await system.simulator.play({ orders: 1, scenarios: [scenario] });
    const { announcements } = await expectWell(system);
    expect(announcements.expected).toBeGreaterThan(5 * scenarioNames.length);
    expect(announcements.received).toBe(announcements.expected);
    for (const { id, events } of system.simulator.truth()) {
      // The tally checks their order: on a busy machine a GET may show, and so report, a later milestone.
      const announced = system.announced(id).map((text) => text.replace(/^\d+\/| late$| inferred$/g, ''));
      expect(announced.sort()).toEqual(events.map(({ milestone }) => milestone).sort());
    }
  });

  it.each<[string, Partial<SimulatorOptions>]>([
    ['half of all duplicated, reordered or late', { rates: { duplicate: 0.5, reorder: 0.5, late: 0.5 } }],
    [
      'another spelling and another form of the body',
      { manners: { spelling: 'label', body: 'string', wrapped: true, links: 'object' } },
    ],
  ])('is announced completely and in order with %s', async (_, simulator) => {
    const system = await startSystem({ simulator: { seed: 7, ...simulator } });
    await system.simulator.play({ orders: 12, receipts: 3, adjustments: 2, assemblies: 2 });
    const { announcements } = await expectWell(system);
    expect(announcements.received).toBe(announcements.expected);
  });

  it('ends in its true stage although a tenth of its events never arrives, except for orders whose last event is lost', async () => {
    const system = await startSystem({ simulator: { seed: 3, rates: { drop: 0.1 } } });
    await system.simulator.play({ orders: 12 });
    await expect.poll(async () => (await summaryOf(system)).announcements.missing, { interval: 250 }).toBe(0);
    const truth = system.simulator.truth();
    expect(truth.flatMap(({ events }) => events).some(({ fate }) => fate === 'dropped')).toBe(true);
    const lastLost = truth.filter(({ events }) => events.at(-1)?.fate === 'dropped').map(subjectKey);
    const wrong = (await summaryOf(system)).wrongStages.filter((text) => !lastLost.some((key) => text.startsWith(key)));
    expect(wrong).toEqual([]);
  });
});
