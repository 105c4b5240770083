/** How far the warehouse's clocks are from UTC. The API never tells; six hours behind is a guess. */
const LOCAL_OFFSET_MS = -6 * 3_600_000;

/** A date inside a resource: the warehouse's local time without an offset, `2026-02-11T10:42:19.063`. */
export function toLocalTime(time: number): string {
  return withoutZone(time + LOCAL_OFFSET_MS);
}

/** A date of a message's envelope: UTC with seven fraction digits and no zone, `2026-02-11T16:42:19.0630000`. */
export function toEnvelopeTime(time: number): string {
  return `${withoutZone(time)}0000`;
}

function withoutZone(time: number): string {
  return new Date(time).toISOString().slice(0, -1);
}
