import type { ListedPart, Tally } from '../activities/sweep.ts';
import type { ChangedPart, Part } from './sweep-state.ts';

/** Times that all pages of a kind are listed again at most. */
const REPEATS = 4;

/**
 * Returns the next page, or the first again if numbered pages had something new: a row may have moved to a page that
 * was listed already.
 */
export function partAfter(part: ChangedPart, swept: ListedPart): Part | null {
  const { by, count, total, anchor } = swept;
  const { kind, of, since, repeats = 0 } = part;
  const found = (part.found ?? 0) + swept.fed;
  const common = { kind, of, by, since, ...(total !== undefined && { total }) };
  if (swept.more) {
    return {
      ...common,
      page: part.page + 1,
      rowsBefore: part.rowsBefore + count,
      found,
      ...(repeats > 0 && { repeats }),
      ...(anchor !== undefined && { anchor }),
    };
  }
  const isToRepeat = by.byNumber && part.page > 1 && found > 0 && repeats < REPEATS;
  return isToRepeat ? { ...common, page: 1, rowsBefore: 0, repeats: repeats + 1 } : null;
}

/** Rows that were listed before count only for what is new. */
export const tallyOf = ({ repeats }: ChangedPart, { fed, ...tally }: Tally): Tally =>
  repeats ? { rows: fed, open: 0, differing: fed, missing: 0, fed } : { ...tally, fed };
