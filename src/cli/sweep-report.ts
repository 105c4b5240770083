import { addUp, describePart, type Reconciled, type SweepState } from '../../workflows/sweep-state.ts';
import { layOut } from './table.ts';

/** One line that says how far a sweep is, and what holds it up. */
export function describeProgress({ tenant, parts, tallies }: SweepState, trouble: string | undefined): string {
  const { rows, open, differing, missing, fed } = addUp(Object.values(tallies));
  const figures = `${rows} changed, ${open} open, ${differing} differ, ${missing} missing, ${fed} taken in`;
  const where = parts[0] ? describePart(parts[0]) : 'done';
  return `warehouse ${tenant}, ${where}: ${figures}${trouble ? `; ${trouble}` : ''}`;
}

/** What a person reads at the end of a sweep. */
export function describeOutcome({ tenant, since, tallies }: Reconciled): string {
  const rows = Object.entries(tallies).map(([kind, { rows, open, differing, missing, fed }]) => [
    kind,
    ...[rows, open, differing, missing, fed].map(String),
  ]);
  return [
    `Warehouse ${tenant}, what changed since ${new Date(since).toISOString()} and what is open:`,
    layOut([['kind', 'changed', 'open', 'differing', 'missing', 'taken in'], ...rows]),
    addUp(Object.values(tallies)).fed > 0
      ? 'What was taken in is fetched now, each by its own workflow.'
      : 'Nothing had to be taken in.',
  ].join('\n');
}
