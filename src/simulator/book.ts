import type { SubjectKind } from '../domain/subject.ts';
import { applyEvent, type EventName } from './effects.ts';
import { newMovement } from './movement-state.ts';
import type { Numbering } from './numbering.ts';
import type { Occurrence } from './occurrence.ts';
import { newOrder } from './order-state.ts';
import { createStream } from './random.ts';
import type { SubjectState } from './subject-state.ts';
import type { TransactionOptions } from './transaction.ts';

/** Every order, receipt, adjustment and assembly of the simulated warehouse; no two share an id. */
export interface Book {
  /** Throws for a customer that there is none of. */
  create(kind: SubjectKind, number: number, options?: TransactionOptions): SubjectState;
  /** Undefined for what never was; what was deleted is still found. */
  find(id: number): SubjectState | undefined;
  /** Throws for what never was. */
  get(id: number): SubjectState;
  apply(id: number, name: EventName, occurrence: Occurrence): SubjectState;
}

/** Opens an empty book. */
export function createBook({ seed, numbering }: { readonly seed: number; readonly numbering: Numbering }): Book {
  const states = new Map<number, SubjectState>();
  const find = (id: number) => states.get(id);
  const get = (id: number) => {
    const state = find(id);
    if (!state) throw new Error(`Nothing with the id ${id} in the simulator`);
    return state;
  };
  const put = (state: SubjectState) => {
    states.set(state.id, state);
    return state;
  };
  return {
    create: (kind, number, options = {}) => {
      const stream = createStream(seed, `${kind} ${number}`);
      const id = numbering.idOf(kind, number);
      return put(kind === 'order' ? newOrder(id, stream, options) : newMovement(kind, id, stream, options));
    },
    find,
    get,
    apply: (id, name, occurrence) => put(applyEvent(get(id), name, occurrence)),
  };
}
