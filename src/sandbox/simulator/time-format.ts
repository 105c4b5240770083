/** Formats a date inside a resource, from milliseconds since the epoch: `2026-02-11T10:42:19.063`, local and without an offset. */
export type LocalTime = (time: number) => string;

/** Default offset of the warehouse's clocks from UTC. The API does not reveal it; six hours behind is a guess. */
export const UTC_OFFSET_MINUTES = -360;

/** Creates the format of a warehouse whose clocks are that far ahead of UTC. */
export function createLocalTime(utcOffsetMinutes: number): LocalTime {
  return (time) => withoutZone(time + utcOffsetMinutes * 60_000);
}

/** Formats a date in the envelope of a message: UTC with seven fraction digits and no zone, `2026-02-11T16:42:19.0630000`. */
export function toEnvelopeTime(time: number): string {
  return `${withoutZone(time)}0000`;
}

function withoutZone(time: number): string {
  return new Date(time).toISOString().slice(0, -1);
}
