import { expect, it } from 'vitest';
import { planSubject, type Rates } from '../../../../sandbox/simulator/scenarios/plan.ts';
import { scenarios, scenariosNamed } from '../../../../sandbox/simulator/scenarios/scenarios.ts';
import { lineCountOf } from '../../../../sandbox/simulator/state/order.ts';
import type { SubjectKind } from '../../../../src/domain/catalogue/subject.ts';

function plan(number: number, rates: Partial<Rates> = {}, kind: SubjectKind = 'order', among = scenarios.order) {
  const allRates = { duplicate: 0, reorder: 0, late: 0, drop: 0, ...rates };
  return planSubject({ seed: 5, kind, number, scenarios: among, rates: allRates });
}

it('a plan depends on the seed, the kind and the number alone', () => {
  expect(plan(3)).toEqual(plan(3));
  expect(plan(3).events).not.toEqual(plan(4).events);
  expect(plan(3, {}, 'receipt').events).not.toEqual(plan(3).events);
});

it('a plan has an event for each line of its order', () => {
  const lines = (number: number) =>
    plan(number, {}, 'order', scenariosNamed(['pickedByLine']))
      .events.filter(({ name }) => name === 'OrderItemPack')
      .map(({ line }) => line);
  const counts = Array.from({ length: 20 }, (_, number) => lines(number).length);
  expect(counts).toEqual(Array.from({ length: 20 }, (_, number) => lineCountOf(5, number)));
  expect(lines(counts.indexOf(3))).toEqual([0, 1, 2]);
});

it('a rate changes deliveries, never events', () => {
  const happens = (rates: Partial<Rates>) => plan(3, rates).events.map(({ name, pause }) => ({ name, pause }));
  expect(happens({ drop: 1 })).toEqual(happens({ duplicate: 0.5, late: 0.5, reorder: 0.5 }));
});

it('one rate does not decide which events another one affects', () => {
  const doubled = (rates: Partial<Rates>) =>
    Array.from({ length: 50 }, (_, number) =>
      plan(number, { duplicate: 0.3, ...rates }).events.map((event) => event.doubled),
    );
  expect(doubled({ late: 0.5, reorder: 0.5 })).toEqual(doubled({}));
});

it('a dropped event is neither held, late nor doubled', () => {
  const { events } = plan(1, { drop: 1, duplicate: 1, late: 1, reorder: 1 });
  expect(new Set(events.map(({ timing, doubled }) => `${timing} ${doubled}`))).toEqual(new Set(['never false']));
});
