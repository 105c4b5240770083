/** Values of a secret that is replaced without a gap, the newest first. */
export interface Rotated {
  readonly values: readonly string[];
  /** Time until which all but the first are valid, in milliseconds since the epoch; null for ever. */
  readonly othersUntil: number | null;
}

/** Returns the values that are valid now. */
export const validOf = ({ values, othersUntil }: Rotated): readonly string[] =>
  othersUntil !== null && Date.now() >= othersUntil ? values.slice(0, 1) : values;

/** Puts a value in front of the newest one, which stays valid for a time, in milliseconds. */
export const rotate = ({ values }: Rotated, value: string, validForMs: number): Rotated => ({
  values: [value, ...values.slice(0, 1)],
  othersUntil: Date.now() + validForMs,
});
