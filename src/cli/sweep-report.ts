import { addUp, describePart, type Reconciled, type SweepState } from '../../workflows/sweep-state.ts';
import { formatTable } from './output.ts';

/** Describes the progress of a sweep, and the failure that delays it, in one line. */
export function describeProgress({ tenant, parts, tallies }: SweepState, trouble: string | undefined): string {
  const { rows, open, differing, missing, fed } = addUp(Object.values(tallies));
  const figures = `${rows} changed, ${open} open, ${differing} differ, ${missing} missing, ${fed} ingested`;
  const where = parts[0] ? describePart(parts[0]) : 'done';
  return `warehouse ${tenant}, ${where}: ${figures}${trouble ? `; ${trouble}` : ''}`;
}

/** Describes the result of a sweep for people. */
export function describeOutcome({ tenant, since, tallies }: Reconciled): string {
  const rows = Object.entries(tallies).map(([kind, { rows, open, differing, missing, fed }]) => [
    kind,
    ...[rows, open, differing, missing, fed].map(String),
  ]);
  return [
    `Warehouse ${tenant}, changes since ${new Date(since).toISOString()} and open subjects:`,
    formatTable([['kind', 'changed', 'open', 'differing', 'missing', 'ingested'], ...rows]),
    addUp(Object.values(tallies)).fed > 0
      ? 'The workflow of each ingested subject fetches it now.'
      : 'Nothing had to be ingested.',
  ].join('\n');
}
