import { type SubjectKind, subjectKinds } from '../../../src/domain/catalogue/subject.ts';
import type { Stage } from '../../../src/domain/lifecycle/stage.ts';
import { kindOf, type SubjectState } from '../kinds/kinds.ts';
import { createStream } from '../random.ts';
import type { NewSubject } from './entry.ts';

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

/** Creates a subject that depends on these choices alone. */
export const newSubject = (kind: SubjectKind, choices: Omit<NewSubject, 'stream'>): SubjectState =>
  kindOf(kind).create({ ...choices, stream: createStream(choices.seed, `${kind} ${choices.number}`) });

/** Returns the true stage of a subject. */
export const trueStage = (state: SubjectState): Stage => (state.deleted ? 'deleted' : kindOf(state.kind).stage(state));
