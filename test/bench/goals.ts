import type { Results } from './results.ts';

/** A figure with what it is to be. */
export interface Goal {
  readonly name: string;
  /** Null where it was not measured. */
  readonly measured: number | null;
  readonly unit: string;
  readonly goal: number;
  readonly kind: 'atLeast' | 'atMost';
  /** Null where it was not measured. */
  readonly reached: boolean | null;
}

interface Row extends Omit<Goal, 'measured' | 'reached'> {
  measure(results: Results): number | null | undefined;
}

const row =
  (kind: Goal['kind']) =>
  (goal: number, unit: string, name: string, measure: Row['measure']): Row => ({ name, unit, goal, kind, measure });
const atLeast = row('atLeast');
const atMost = row('atMost');

const rows: readonly Row[] = [
  atLeast(0.4, '× bare Fastify', 'intake', ({ intake }) => intake?.ratio),
  atMost(25, 'ms', 'slowest of a hundred answers', ({ intake }) => intake?.p99Ms),
  atLeast(5, '× the textbook', 'end to end, 16 orders at a time', ({ endToEnd }) => endToEnd?.ratio16),
  atLeast(5, '× the textbook', 'end to end, 64 orders at a time', ({ endToEnd }) => endToEnd?.ratio64),
  atLeast(6, '× the textbook', 'end to end, burst', ({ endToEnd }) => endToEnd?.burst),
  atMost(90, 'events', 'history', ({ cost }) => cost?.inline.oneByOne.events),
  atMost(24_576, 'bytes', 'size of the history', ({ cost }) => cost?.inline.oneByOne.bytes),
  atMost(25, 'events', 'history in the burst', ({ cost }) => cost?.inline.burst.events),
  atMost(1.2, 'an event', 'calls, one by one', ({ cost }) => cost?.inline.oneByOne.calls),
  atMost(0.35, 'an event', 'calls in the burst', ({ cost }) => cost?.inline.burst.calls),
  atMost(1.5, '× the textbook', 'one webhook on an idle system', ({ quiet }) => quiet?.ratio),
  atMost(1.2, '× the budget', 'slow warehouse', ({ slowWarehouse }) => slowWarehouse?.ratio),
  atLeast(0.8, '× at a small backlog', 'intake at a large backlog, SQLite', ({ growth }) => growth?.sqlite.intake),
  atLeast(
    0.8,
    '× at a small backlog',
    'observing at a large backlog, SQLite',
    ({ growth }) => growth?.sqlite.observing,
  ),
  atLeast(
    0.8,
    '× at a small backlog',
    'intake at a large backlog, PostgreSQL',
    ({ growth }) => growth?.postgres?.intake,
  ),
  atLeast(
    0.8,
    '× at a small backlog',
    'observing at a large backlog, PostgreSQL',
    ({ growth }) => growth?.postgres?.observing,
  ),
  atMost(250, 'MB', 'peak memory of the service', ({ memory }) => memory?.service.peak),
  atMost(2, '× without it', 'good traffic beside hostile input', ({ hostile }) => hostile?.ratio),
  atMost(0, '', 'lost', ({ lost }) => lost),
  atMost(0, '', 'duplicates', ({ duplicates }) => duplicates),
  atMost(0, '', 'out of order', ({ outOfOrder }) => outOfOrder),
];

/** Every goal with what a run found; nothing is reached that is not a finite number. */
export function goalsOf(results: Results): readonly Goal[] {
  return rows.map(({ measure, ...goal }) => {
    const found = measure(results);
    const measured = found !== null && found !== undefined && Number.isFinite(found) ? found : null;
    return { ...goal, measured, reached: measured === null ? null : isReached(measured, goal) };
  });
}

/** Whether a figure is what it is to be. */
export const isReached = (measured: number, { kind, goal }: Pick<Goal, 'kind' | 'goal'>): boolean =>
  kind === 'atLeast' ? measured >= goal : measured <= goal;
