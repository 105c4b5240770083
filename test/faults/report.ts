import { formatTable } from '../../src/cli/output.ts';
import { type Figures, isFlawless, sumOf } from './reckoning.ts';
import type { Outcome } from './run-fault.ts';

/** What `--json` prints: the figures of all faults together, then of each by `name/database`. */
export interface Result extends Figures {
  /** The seed of the random moments. */
  readonly seed: number;
  readonly well: boolean;
  readonly faults: Readonly<Record<string, Figures & { readonly problem?: string; readonly skipped?: string }>>;
}

/** Whether a fault did no harm, or could not be run. */
export const isWell = ({ figures, problem }: Outcome): boolean => isFlawless(figures) && problem === undefined;

/** What came of all faults. */
export function toResult(seed: number, outcomes: readonly Outcome[]): Result {
  return {
    seed,
    well: outcomes.every(isWell),
    ...sumOf(outcomes.map(({ figures }) => figures)),
    faults: Object.fromEntries(
      outcomes.map(({ fault, database, figures, problem, skipped }) => [
        `${fault.name}/${database}`,
        { ...figures, ...(problem !== undefined && { problem }), ...(skipped !== undefined && { skipped }) },
      ]),
    ),
  };
}

const heading = ['fault', 'database', 'accepted', 'announced', 'missing', 'duplicates', 'out of order', 'repeated', ''];

/** What a person reads at the end. */
export function report(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ fault, database, figures, problem, skipped }) => {
    const { accepted, announced, missing, duplicates, outOfOrder, repeated } = figures;
    const counts = [accepted, announced, missing, duplicates, outOfOrder, repeated].map(String);
    const note = problem ?? (skipped === undefined ? '' : `skipped: ${skipped}`);
    return [fault.name, database, ...counts, note];
  });
  return [formatTable([heading, ...rows]), '', EXPLANATION, verdict(outcomes)].join('\n');
}

const EXPLANATION = `accepted: events whose webhook was answered 200. announced: distinct ids at the receiver; what a GET alone shows is announced
beside that, and changes of stock coalesce, so the two need not be equal. duplicates: announced again under another id.
repeated: the same id came again with the same bytes, because its acknowledgement was lost with the process or on the way;
whoever takes each webhook-id once, as the receiver does, has it once.`;

function verdict(outcomes: readonly Outcome[]): string {
  const skipped = outcomes.filter((outcome) => outcome.skipped !== undefined).length;
  const bad = outcomes.filter((outcome) => !isWell(outcome)).length;
  if (bad > 0) return `NOT all is well: ${bad} of ${outcomes.length} faults did harm.`;
  if (skipped === outcomes.length) return 'Nothing was tried.';
  const but = skipped > 0 ? ` ${skipped} of ${outcomes.length} faults could not be tried here.` : '';
  return `Nothing missing, nothing twice, nothing out of order.${but}`;
}
