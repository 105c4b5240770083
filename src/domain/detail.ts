/**
 * Extents of an announcement that destinations get: all of it; all of it up to a number of bytes, and above them without its largest
 * records; its advice without any record; or neither.
 */
export const details = ['full', 'bounded', 'advice', 'thin'] as const;

type Detail = (typeof details)[number];

export interface Extent {
  /** Default: `full`. */
  readonly detail?: Detail | undefined;
  /** Size of a body above which the largest records are left out, in bytes; for `bounded`, and only for it. */
  readonly maxBytes?: number | undefined;
  /** Members of the advice that are left out, as dotted paths; for `advice`, and only for it. */
  readonly omit?: readonly string[] | undefined;
}
