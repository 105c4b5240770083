/** All; all up to a number of bytes, and above that without the largest records; the advice without any record; or neither. */
export const details = ['full', 'bounded', 'advice', 'thin'] as const;

type Detail = (typeof details)[number];

export interface Extent {
  readonly detail?: Detail | undefined;
  /** Above it the largest records are left out; only for `bounded`. */
  readonly maxBytes?: number | undefined;
  /** Members of the advice, as dotted paths; only for `advice`. */
  readonly omit?: readonly string[] | undefined;
}
