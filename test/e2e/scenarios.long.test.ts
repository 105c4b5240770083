import { expect, it } from 'vitest';
import { collectEvidence } from '../../sandbox/demonstration/demonstrate.ts';
import { isWell, summarize } from '../../sandbox/demonstration/summary.ts';
import type { OrderScenario } from '../../sandbox/simulator/scenarios/scenarios.ts';
import { startSystem } from '../support/system.ts';

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

it('every scenario of the player is announced completely, with each of its events', async () => {
  const { simulator, receiver, service, announced } = await startSystem();
  for (const scenario of scenarioNames) await simulator.play({ orders: 1, scenarios: [scenario] });
  // Compares announcements and stages with the simulator's records, as the demonstration does.
  const summary = async () => summarize(await collectEvidence({ simulator, receiver, service: service() }, Date.now()));
  await expect.poll(async () => isWell(await summary()), { interval: 250 }).toBe(true);
  const { announcements } = await summary();
  expect(announcements.expected).toBeGreaterThan(5 * scenarioNames.length);
  expect(announcements.received).toBe(announcements.expected);
  for (const { id, events } of simulator.truth()) {
    // The tally checks their order: on a busy machine a GET may show, and so report, a later milestone.
    const milestones = announced(id).map((text) => text.replace(/^\d+\/| late$| inferred$/g, ''));
    expect(milestones.sort()).toEqual(events.map(({ milestone }) => milestone).sort());
  }
});
