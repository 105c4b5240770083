import { describe, expect, it } from 'vitest';
import { checkAdvice } from '../../../sandbox/demonstration/advices.ts';
import type { EventName, SubjectState } from '../../../sandbox/simulator/kinds/kinds.ts';
import { createManners } from '../../../sandbox/simulator/manners.ts';
import { createLocalTime } from '../../../sandbox/simulator/resources/resource.ts';
import { requestedSections } from '../../../sandbox/simulator/resources/sections.ts';
import { showSubject } from '../../../sandbox/simulator/resources/subject.ts';
import { applyEvent } from '../../../sandbox/simulator/state/events.ts';
import { newSubject } from '../../../sandbox/simulator/state/subject.ts';
import { advicePlaces, readAdvice } from '../../../src/domain/kinds/advice.ts';
import { orderLifecycle } from '../../support/order-lifecycle.ts';

const shipping: readonly EventName[] = [...orderLifecycle, 'OrderUpdate'];
const receiving: readonly EventName[] = ['ReceiptCreate', 'ReceiptConfirm'];

/** Returns an order or a receipt after each of its events. */
function statesOf(kind: 'order' | 'receipt', number: number, isReal = true): readonly SubjectState[] {
  const id = 31_000_000 + number;
  let state = newSubject(kind, { id, number, seed: 1, created: 1_760_000_000_000, isReal });
  return (kind === 'order' ? shipping : receiving).map((name, index) => {
    state = applyEvent(state, name, { time: 1_760_000_000_000 + index * 60_000 });
    return state;
  });
}

const order = requestedSections(new URLSearchParams('detail=orderItems,savedElements,smallParcel,packages'));
const receipt = requestedSections(new URLSearchParams('detail=receiveItems'));

function adviceOf(state: SubjectState, sections = state.kind === 'order' ? order : receipt, isReal = true) {
  const form = { localTime: createLocalTime(-360), manners: createManners({ realGoods: isReal }).current() };
  const { body } = showSubject(state, sections, form);
  return readAdvice(state.kind, JSON.parse(JSON.stringify(body)), advicePlaces) as Readonly<Record<string, unknown>>;
}

const numbers = Array.from({ length: 300 }, (_, number) => number);

describe('the advice of a record of the simulated warehouse', () => {
  it.each(['order', 'receipt'] as const)('has every quantity of each %s, in whatever form it was written', (kind) => {
    let compared = 0;
    for (const state of numbers.slice(0, 60).flatMap((number) => statesOf(kind, number))) {
      const { problem, quantities } = checkAdvice(adviceOf(state), [state], true);
      expect(problem).toBeUndefined();
      compared += quantities;
    }
    expect(compared).toBeGreaterThan(600);
  });

  it('is false with one quantity, lot or tracking number that is another', () => {
    const [state] = numbers.map((number) => statesOf('order', number).at(-1)).filter((it) => it !== undefined);
    const advice = structuredClone(adviceOf(state as SubjectState)) as Record<string, never>;
    const [line] = advice.lines as unknown as [Record<string, number>];
    for (const name of ['ordered', 'shipped', 'short', 'packed']) {
      const changed = {
        ...advice,
        lines: [{ ...line, [name]: (line[name] ?? 0) + 1 }, ...Object.values(advice.lines ?? []).slice(1)],
      };
      expect(checkAdvice(changed, [state as SubjectState], true).problem).toMatch(/^its advice is /);
    }
    expect(checkAdvice({ ...advice, trackingNumbers: ['X'] }, [state as SubjectState], true).problem).toBeDefined();
    expect(checkAdvice({}, [state as SubjectState], true).problem).toBe('its advice has no lines');
  });
});
