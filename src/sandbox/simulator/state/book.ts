import type { SubjectKind } from '../../../domain/catalogue/subject.ts';
import { applyEvent, type EventName } from '../effects/effects.ts';
import type { Occurrence } from '../effects/occurrence.ts';
import { createStream } from '../random.ts';
import type { EntryOptions } from './entry.ts';
import { newHold } from './hold.ts';
import { newItem } from './item.ts';
import { newMovement } from './movement.ts';
import type { Numbering } from './numbering.ts';
import { lineCountOf, newOrder } from './order.ts';
import { newStock } from './stock.ts';
import type { SubjectState } from './subject.ts';

/** Everything that a warehouse tenant has; no two share an id, whatever their kinds. */
export interface Book {
  /** Throws for a customer or a facility that there is none of, and for stock that there is already. */
  create(kind: SubjectKind, number: number, options?: EntryOptions): SubjectState;
  /** Undefined for what never was; what was deleted is still found. */
  find(id: number | string): SubjectState | undefined;
  /** Throws for what never was. */
  get(id: number | string): SubjectState;
  /** Everything of a kind that was not deleted, by its id. */
  list<K extends SubjectKind>(kind: K): readonly (SubjectState & { readonly kind: K })[];
  apply(id: number | string, name: EventName, occurrence: Occurrence): SubjectState;
}

/** Opens an empty book. */
export function createBook({ seed, numbering }: { readonly seed: number; readonly numbering: Numbering }): Book {
  const states = new Map<string, SubjectState>();
  const find = (id: number | string) => states.get(String(id));
  const get = (id: number | string) => {
    const state = find(id);
    if (!state) throw new Error(`Nothing with the id ${id} in the simulator`);
    return state;
  };
  const put = (state: SubjectState) => {
    states.set(String(state.id), state);
    return state;
  };
  return {
    create: (kind, number, options = {}) => {
      const state = newState({ kind, number, id: numbering.idOf(kind, number), seed, options });
      if (find(state.id)) throw new Error(`${kind} ${state.id} is in the simulator already`);
      return put(state);
    },
    find,
    get,
    list: <K extends SubjectKind>(kind: K) =>
      [...states.values()]
        .filter((state): state is SubjectState & { readonly kind: K } => state.kind === kind && !state.deleted)
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    apply: (id, name, occurrence) => put(applyEvent(get(id), name, occurrence)),
  };
}

function newState(what: {
  readonly kind: SubjectKind;
  readonly number: number;
  readonly id: number;
  readonly seed: number;
  readonly options: EntryOptions;
}): SubjectState {
  const { kind, number, id, seed, options } = what;
  const stream = createStream(seed, `${kind} ${number}`);
  switch (kind) {
    case 'order':
      return newOrder(id, stream, { lines: lineCountOf(seed, number), ...options });
    case 'item':
      return newItem(id, stream, options);
    case 'stock':
      return newStock(id, stream, options);
    case 'hold':
      return newHold(id, stream, options);
    default:
      return newMovement(kind, id, stream, options);
  }
}
