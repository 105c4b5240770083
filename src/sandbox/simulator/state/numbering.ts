import type { SubjectKind } from '../../../domain/catalogue/subject.ts';

/** The numbers of subjects and events: each kind has its own, so that what one kind does changes nothing in another. */
export interface Numbering {
  /** Sets numbers of subjects aside, so that what one looks like does not depend on when it is created; returns the first. */
  reserve(kind: SubjectKind, count: number): number;
  /** Sets event ids aside and returns the first. */
  reserveEventIds(kind: SubjectKind, count: number): number;
  /** The id of the subject with that number. */
  idOf(kind: SubjectKind, number: number): number;
}

/** Where the ids of each kind begin after the first order's: at ten ids a second, orders reach a receipt's in 31 years. */
const offsets = {
  order: 0,
  receipt: 1e10,
  adjustment: 2e10,
  assembly: 3e10,
  item: 4e10,
  stock: 5e10,
  hold: 6e10,
} as const;

/** More than a life has, that of an order of a thousand lines included. */
const EVENTS_PER_LIFE = 10_000;

/** Numbers orders from `firstId`, and the events of each kind from so many times its ids as a life may have events. */
export function createNumbering(firstId: number): Numbering {
  const subjects = createCounter(() => 0);
  const events = createCounter((kind) => EVENTS_PER_LIFE * (firstId + offsets[kind]));
  return {
    reserve: subjects,
    reserveEventIds: events,
    idOf: (kind, number) => firstId + offsets[kind] + number,
  };
}

function createCounter(start: (kind: SubjectKind) => number): (kind: SubjectKind, count: number) => number {
  const next = new Map<SubjectKind, number>();
  return (kind, count) => {
    const first = next.get(kind) ?? start(kind);
    next.set(kind, first + count);
    return first;
  };
}
