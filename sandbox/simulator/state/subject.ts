import { type SubjectKind, subjectKinds } from '../../../src/domain/catalogue/subject.ts';
import type { Stage } from '../../../src/domain/lifecycle/stage.ts';
import { createStream } from '../random.ts';
import { items } from './directory.ts';
import type { EntryOptions } from './entry.ts';
import { type HoldState, type ItemState, newHold, newItem, newStock, type StockState } from './inventory.ts';
import { lineCountOf, newOrder, type OrderState, stageOfOrder, withShipment } from './order.ts';
import { planReceipt } from './shipment.ts';
import { type MovementState, newMovement, stageOf } from './transaction.ts';

/** Subject as the warehouse stores it. */
export type SubjectState = OrderState | MovementState | ItemState | StockState | HoldState;

/** Numbers of subjects and events. Each kind has its own, so that one kind does not affect another. */
export type Numbering = ReturnType<typeof createNumbering>;

/** Distance of a kind's first id from that of the kind before. At ten ids per second from 2026 on, ids fit 32 bits until 2029. */
const DISTANCE = 1e8;

const offsetOf = (kind: SubjectKind): number => DISTANCE * subjectKinds.indexOf(kind);

/** Exceeds the events of any one subject, an order of a thousand lines included. */
const EVENTS_PER_SUBJECT = 10_000;

/** Numbers orders from `firstId`. */
export function createNumbering(firstId: number) {
  return {
    /** Reserves numbers of subjects and returns the first. */
    reserve: createSequences(() => 0),
    /** Reserves event ids and returns the first. They exceed 32 bits: each subject has room for all of its events. */
    reserveEventIds: createSequences((kind) => EVENTS_PER_SUBJECT * (firstId + offsetOf(kind))),
    /** Returns the id of the nth subject. */
    idOf: (kind: SubjectKind, number: number) => firstId + offsetOf(kind) + number,
  };
}

function createSequences(start: (kind: SubjectKind) => number): (kind: SubjectKind, count: number) => number {
  const next = new Map<SubjectKind, number>();
  return (kind, count) => {
    const first = next.get(kind) ?? start(kind);
    next.set(kind, first + count);
    return first;
  };
}

/** Identity of a subject within its tenant: its number within its kind, and its id. */
interface SubjectNumber {
  readonly kind: SubjectKind;
  readonly number: number;
  readonly id: number;
}

/** Creates a subject that depends on the seed, the kind, the number and the options alone; `isReal` gives it goods as in a real warehouse. */
export function newSubject(
  { kind, number, id }: SubjectNumber,
  seed: number,
  { isReal, ...options }: EntryOptions & { readonly isReal: boolean },
): SubjectState {
  const stream = createStream(seed, `${kind} ${number}`);
  switch (kind) {
    case 'order': {
      const order = newOrder(id, stream, { lines: lineCountOf(seed, number, isReal), ...options });
      return isReal ? withShipment(order, seed, number) : order;
    }
    case 'item':
      return newItem(id, stream, options);
    case 'stock':
      return newStock(id, stream, options);
    case 'hold':
      return newHold(id, stream, options);
    case 'receipt': {
      const receipt = newMovement(kind, id, stream, options);
      const received = isReal && planReceipt(createStream(seed, `goods of receipt ${number}`), id, items);
      return received ? { ...receipt, received } : receipt;
    }
    default:
      return newMovement(kind, id, stream, options);
  }
}

/** Returns the true stage of a subject. */
export function trueStage(state: SubjectState): Stage {
  if (state.deleted) return 'deleted';
  switch (state.kind) {
    case 'item':
      return state.deactivated ? 'deactivated' : 'created';
    case 'stock':
      return 'current';
    case 'hold':
      return state.onHold ? 'onHold' : 'released';
    case 'order':
      return stageOfOrder(state);
    default:
      return stageOf(state);
  }
}
