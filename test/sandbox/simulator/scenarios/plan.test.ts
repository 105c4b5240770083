import { expect, it } from 'vitest';
import type { SubjectKind } from '../../../../src/domain/catalogue/subject.ts';
import { planLife, type Rates } from '../../../../src/sandbox/simulator/scenarios/plan.ts';
import { lives } from '../../../../src/sandbox/simulator/scenarios/scenarios.ts';
import { lineCountOf } from '../../../../src/sandbox/simulator/state/order.ts';

function plan(number: number, rates: Partial<Rates> = {}, kind: SubjectKind = 'order') {
  return planLife({
    seed: 5,
    kind,
    number,
    lives: lives.order,
    rates: { duplicate: 0, reorder: 0, late: 0, drop: 0, ...rates },
  });
}

it('a plan depends on the seed, the kind and the number alone', () => {
  expect(plan(3)).toEqual(plan(3));
  expect(plan(3).events).not.toEqual(plan(4).events);
  expect(plan(3, {}, 'receipt').events).not.toEqual(plan(3).events);
});

it('a plan has an event for each line of its order', () => {
  const linewise = lives.order.filter(({ name }) => name === 'pickedByLine') as unknown as typeof lives.order;
  const lines = (number: number) =>
    planLife({ seed: 5, kind: 'order', number, lives: linewise, rates: { duplicate: 0, reorder: 0, late: 0, drop: 0 } })
      .events.filter(({ name }) => name === 'OrderItemPack')
      .map(({ line }) => line);
  const counts = Array.from({ length: 20 }, (_, number) => lines(number).length);
  expect(counts).toEqual(Array.from({ length: 20 }, (_, number) => lineCountOf(5, number)));
  expect(lines(counts.indexOf(3))).toEqual([0, 1, 2]);
});

it('a rate changes the fate of deliveries, never what happens', () => {
  const happens = (rates: Partial<Rates>) => plan(3, rates).events.map(({ name, pause }) => ({ name, pause }));
  expect(happens({ drop: 1 })).toEqual(happens({ duplicate: 0.5, late: 0.5, reorder: 0.5 }));
});

it('one rate does not decide which events another one strikes', () => {
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
