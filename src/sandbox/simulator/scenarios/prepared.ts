import { collectionOf, type SubjectKind, subjectKinds } from '../../../domain/catalogue/subject.ts';
import type { Numbering } from '../state/numbering.ts';
import { type PlannedLife, planLife, type Rates } from './plan.ts';
import { type Lives, lives, type ScenarioName } from './scenarios.ts';

/** How many of each kind are to live, each by default 0, and how orders do. */
export interface Cast {
  readonly orders?: number;
  readonly receipts?: number;
  readonly adjustments?: number;
  readonly assemblies?: number;
  readonly items?: number;
  readonly stock?: number;
  readonly holds?: number;
  /** The lives that an order's is chosen from; by default all. A life named twice is chosen twice as often. */
  readonly lives?: readonly ScenarioName[];
}

/** A planned life with its numbers. */
export interface PreparedLife extends PlannedLife {
  readonly firstEventId: number;
  /** Where it begins between the first and the last of its kind, 0..1, so that the kinds live beside each other. */
  readonly turn: number;
}

/** What lives are prepared from. */
export interface Preparation {
  readonly numbering: Numbering;
  readonly seed: number;
  readonly rates: Rates;
}

/** Numbers everything and its events before the first one happens, so that timing decides none of them. */
export function prepareLives(cast: Cast, preparation: Preparation): PreparedLife[] {
  return subjectKinds
    .flatMap((kind) => {
      const choices = kind === 'order' ? livesNamed(cast.lives) : lives[kind];
      return prepareKind({ kind, count: cast[collectionOf[kind]] ?? 0, choices }, preparation);
    })
    .sort((a, b) => a.turn - b.turn);
}

interface Share {
  readonly kind: SubjectKind;
  readonly count: number;
  readonly choices: Lives;
}

function prepareKind({ kind, count, choices }: Share, { numbering, seed, rates }: Preparation): PreparedLife[] {
  const firstNumber = numbering.reserve(kind, count);
  return Array.from({ length: count }, (_, index) => {
    const plan = planLife({ seed, kind, rates, lives: choices, number: firstNumber + index });
    return { ...plan, firstEventId: numbering.reserveEventIds(kind, plan.events.length), turn: index / count };
  });
}

function livesNamed(names: readonly ScenarioName[] = []): Lives {
  const [first, ...rest] = names.flatMap((name) => lives.order.filter((life) => life.name === name));
  return first ? [first, ...rest] : lives.order;
}
