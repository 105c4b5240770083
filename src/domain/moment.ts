/** Units of a duration, in milliseconds. */
export const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A day, or a time of day with minutes at least; UTC if it has no zone. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Parses a time such as `2026-02-11T10:00Z` or `2026-02-11`, or an age such as `90m`, `2h` or `3d`, into milliseconds since the epoch; NaN if it is neither. */
export function parseMoment(text: string, now: number): number {
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const at = amount ? now - Number(amount) * unitsMs[unit as keyof typeof unitsMs] : parseTime(text);
  return new Date(at).getTime();
}

function parseTime(text: string): number {
  const [, time, , , zone] = TIME.exec(text) ?? [];
  const isComplete = zone !== undefined || time === undefined;
  return TIME.test(text) ? Date.parse(isComplete ? text : `${text}Z`) : Number.NaN;
}
