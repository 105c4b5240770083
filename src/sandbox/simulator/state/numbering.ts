import type { SubjectKind } from '../../../domain/catalogue/subject.ts';

/** Numbers of subjects and events. Each kind has its own, so that one kind does not affect another. */
export type Numbering = ReturnType<typeof createNumbering>;

/** Distance of a kind's first id from that of orders. At ten ids per second, orders reach the receipts in 31 years. */
const offsets = { order: 0, receipt: 1e10, adjustment: 2e10, assembly: 3e10, item: 4e10, stock: 5e10, hold: 6e10 };

/** Exceeds the events of any one subject, an order of a thousand lines included. */
const EVENTS_PER_SUBJECT = 10_000;

/** Numbers orders from `firstId`. */
export function createNumbering(firstId: number) {
  return {
    /** Reserves numbers of subjects and returns the first. */
    reserve: createSequences(() => 0),
    /** Reserves event ids and returns the first. */
    reserveEventIds: createSequences((kind) => EVENTS_PER_SUBJECT * (firstId + offsets[kind])),
    /** Returns the id of the nth subject. */
    idOf: (kind: SubjectKind, number: number) => firstId + offsets[kind] + number,
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
