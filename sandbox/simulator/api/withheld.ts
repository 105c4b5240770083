import type { ApiOperation } from './faults.ts';

/** Memory of what the API did not return. */
export type Withheld = ReturnType<typeof createWithheld>;

/** Time for which a client may leave an operation alone that fails, in milliseconds. */
const SHUNNED_MS = 30_000;

/** Creates the memory of GETs that were not answered with what is there: refused, failed or lied about. */
export function createWithheld() {
  const paths = new Set<string>();
  const inRow = new Map<ApiOperation, number>();
  const failing: { readonly operation: ApiOperation; readonly at: number }[] = [];
  return {
    /** Notes a GET that was not answered truly, and whether it was told to wait. */
    add(operation: ApiOperation, path: string, isLimited: boolean) {
      paths.add(path);
      const count = (inRow.get(operation) ?? 0) + 1;
      inRow.set(operation, count);
      if (isLimited || count > 1) failing.push({ operation, at: Date.now() });
    },
    /** Notes a GET that was answered truly. */
    returned: (operation: ApiOperation) => void inRow.delete(operation),
    /** Reports whether some GET of a path was withheld. */
    isWithheld: (path: string): boolean => paths.has(path),
    /** Reports whether an operation failed twice in a row, or was limited, not long before a time, so that a client may leave it alone. */
    wasFailing: (operation: ApiOperation, time: number): boolean =>
      failing.some((one) => one.operation === operation && one.at <= time && time - one.at < SHUNNED_MS),
  };
}
