import type { BackfillOptions } from '../../activities/sweep.ts';
import { addUp, describePart, type Part, type Reconciled, type SweepState } from '../../workflows/sweep-state.ts';
import { formatTable } from '../base/text-table.ts';

export function describeProgress(
  { tenant, parts, tallies, backfill }: SweepState,
  trouble: string | undefined,
): string {
  const { rows, open, differing, missing, fed } = addUp(Object.values(tallies));
  const figures = backfill
    ? `${rows} listed, ${differing} new, ${fed} ingested`
    : `${rows} changed, ${open} open, ${differing} differ, ${missing} missing, ${fed} ingested`;
  const [part] = parts;
  const where = part ? `${describePart(part)}${shareOf(part)}` : 'done';
  return `warehouse ${tenant}, ${where}: ${figures}${trouble ? `; ${trouble}` : ''}`;
}

const shareOf = (part: Part): string =>
  part.of === 'changed' && part.total !== undefined ? ` (row ${part.rowsBefore + 1} of ${part.total})` : '';

export function describeOutcome(reconciled: Reconciled): string {
  const { tallies, limitations = [] } = reconciled;
  return [
    ...(reconciled.backfill ? backfillTable(reconciled, reconciled.backfill) : sweepTable(reconciled)),
    ...limitations.map(({ kind, message }) => `${kind}: ${message}.`),
    describeIngested(addUp(Object.values(tallies)).fed, reconciled.backfill),
  ].join('\n');
}

function sweepTable({ tenant, since, tallies }: Reconciled): string[] {
  const rows = Object.entries(tallies).map(([kind, { rows, open, differing, missing, fed }]) => [
    kind,
    ...[rows, open, differing, missing, fed].map(String),
  ]);
  return [
    `Warehouse ${tenant}, changes since ${new Date(since).toISOString()} and open subjects:`,
    formatTable([['kind', 'changed', 'open', 'differing', 'missing', 'ingested'], ...rows]),
  ];
}

function backfillTable({ tenant, since, tallies }: Reconciled, { open }: BackfillOptions): string[] {
  const rows = Object.entries(tallies).map(([kind, { rows, differing, fed }]) => [
    kind,
    ...[rows, rows - differing, differing, fed].map(String),
  ]);
  return [
    `Warehouse ${tenant}, ${open ? 'open subjects' : `changes since ${new Date(since).toISOString()}`}:`,
    formatTable([['kind', 'listed', 'known', 'new', 'ingested'], ...rows]),
  ];
}

function describeIngested(fed: number, backfill: BackfillOptions | undefined): string {
  if (backfill?.dryRun) return 'Nothing was ingested: this was a dry run.';
  if (fed === 0) return 'Nothing had to be ingested.';
  if (backfill && !backfill.announce) return 'Each ingested subject becomes known now, and nothing of it is announced.';
  return 'The workflow of each ingested subject fetches it now.';
}
