/**
 * Extents of an announcement that destinations get: all of it; all of it up to a number of bytes, and above them without its largest
 * records; or no records at all.
 */
export const details = ['full', 'bounded', 'thin'] as const;

type Detail = (typeof details)[number];

/** Extent of an announcement that a destination gets. */
export interface Extent {
  /** Default: `full`. */
  readonly detail?: Detail | undefined;
  /** Size of a body above which the largest records are left out, in bytes; for `bounded`, and only for it. */
  readonly maxBytes?: number | undefined;
}
