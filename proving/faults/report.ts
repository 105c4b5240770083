import { formatTable } from '../../src/base/text.ts';
import type { Outcome } from './run-fault.ts';
import { type Figures, isFlawless, sumFigures } from './verification.ts';

/** Result of a run: the sum of all faults, and the figures of each by `name/database`. */
export interface Result extends Figures {
  /** Seed of the random moments. */
  readonly seed: number;
  readonly well: boolean;
  readonly faults: Readonly<Record<string, Figures & Pick<Outcome, 'problem' | 'skipped'>>>;
}

/** Reports whether a fault did no harm, or was skipped. */
const isWell = ({ figures, problem }: Outcome): boolean => isFlawless(figures) && problem === undefined;

/** Sums up the outcomes of all faults. */
export function toResult(seed: number, outcomes: readonly Outcome[]): Result {
  return {
    seed,
    well: outcomes.every(isWell),
    ...sumFigures(outcomes.map(({ figures }) => figures)),
    faults: Object.fromEntries(
      outcomes.map(({ fault, database, figures, ...rest }) => [`${fault.name}/${database}`, { ...figures, ...rest }]),
    ),
  };
}

const heading = ['fault', 'database', 'accepted', 'announced', 'missing', 'duplicates', 'out of order', 'repeated', ''];

/** Formats the outcomes as a table, and the verdict as the last line. */
export function report(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ fault, database, figures, problem, skipped }) => {
    const { accepted, announced, missing, duplicates, outOfOrder, repeated } = figures;
    const counts = [accepted, announced, missing, duplicates, outOfOrder, repeated].map(String);
    const note = problem ?? (skipped === undefined ? '' : `skipped: ${skipped}`);
    return [fault.name, database, ...counts, note];
  });
  return [formatTable([heading, ...rows]), '', EXPLANATION, verdict(outcomes)].join('\n');
}

const EXPLANATION = `accepted: events whose webhook was answered 200. announced: distinct ids at the receiver. The two differ where a GET shows
more than the events, and where changes of stock coalesce. duplicates: announced again under another id. repeated: the same
id again with the same bytes, because its acknowledgement was lost; a destination drops it by its webhook-id.`;

function verdict(outcomes: readonly Outcome[]): string {
  const skipped = outcomes.filter((outcome) => outcome.skipped !== undefined).length;
  const failed = outcomes.filter((outcome) => !isWell(outcome)).length;
  if (failed > 0) return `FAILED: ${failed} of ${outcomes.length} faults did harm.`;
  if (skipped === outcomes.length) return 'Nothing was run.';
  const but = skipped > 0 ? ` ${skipped} of ${outcomes.length} faults were skipped.` : '';
  return `Nothing missing, nothing duplicated, nothing out of order.${but}`;
}
