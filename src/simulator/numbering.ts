import type { SubjectKind } from '../domain/subject.ts';

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
const offsets = { order: 0, receipt: 1e10, adjustment: 2e10, assembly: 3e10 } as const;

/** Numbers orders from `firstId`; no life has more than ten events, which are numbered from ten times the ids of their kind. */
export function createNumbering(firstId: number): Numbering {
  const subjects = createCounter(() => 0);
  const events = createCounter((kind) => 10 * (firstId + offsets[kind]));
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
