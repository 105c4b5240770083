import { Temporal } from 'temporal-polyfill';

/** Zones without daylight saving time that belong to no place. Whoever writes UTC means it. */
const OF_NO_PLACE = /^(?:etc\/(?!utc$).+|systemv\/\w{3}\d|est|mst|hst|gmt.*|greenwich|uct|universal|zulu)$/i;

/** Offset in place of a name: `-06:00`, `UTC+5`. */
const OFFSET = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/** To write instead, by offset in minutes: with daylight saving time if possible, and without. */
const places = new Map<number, readonly [string, string?]>([
  [-660, ['Pacific/Pago_Pago']],
  [-600, ['Pacific/Honolulu']],
  [-540, ['America/Anchorage']],
  [-480, ['America/Los_Angeles']],
  [-420, ['America/Denver', 'America/Phoenix']],
  [-360, ['America/Chicago', 'America/Costa_Rica']],
  [-300, ['America/New_York', 'America/Panama']],
  [-240, ['America/Halifax', 'America/Puerto_Rico']],
  [-210, ['America/St_Johns']],
  [-180, ['America/Sao_Paulo']],
  [0, ['Europe/London', 'Atlantic/Reykjavik']],
  [60, ['Europe/Berlin', 'Africa/Lagos']],
  [120, ['Europe/Athens', 'Africa/Johannesburg']],
  [180, ['Europe/Istanbul']],
  [240, ['Asia/Dubai']],
  [300, ['Asia/Karachi']],
  [330, ['Asia/Kolkata']],
  [420, ['Asia/Bangkok']],
  [480, ['Asia/Singapore']],
  [540, ['Asia/Tokyo']],
  [570, ['Australia/Adelaide', 'Australia/Darwin']],
  [600, ['Australia/Sydney', 'Australia/Brisbane']],
  [720, ['Pacific/Auckland', 'Pacific/Fiji']],
]);

/** Completes "timeZone: …"; undefined for the zone of a place. */
export function problemOfZone(text: string): string | undefined {
  const offset = OFFSET.exec(text);
  if (!offset && !OF_NO_PLACE.test(text)) return isZone(text) ? undefined : UNKNOWN;
  const minutes = offset ? minutesOf(offset) : offsetOf(text);
  const [place, other] = places.get(minutes ?? Number.NaN) ?? [];
  if (place === undefined) return UNKNOWN;
  const instead = other === undefined ? place : `${place}, or ${other} if its clocks do not change`;
  return `has no daylight saving time and is the zone of no place: write that of the warehouse, such as ${instead}`;
}

const UNKNOWN = 'must be the name of a time zone, such as America/Chicago';

const isZone = (text: string): boolean => /^[A-Za-z]/.test(text) && offsetOf(text) !== undefined;

/** Minutes, as in 1970; undefined for no zone. */
function offsetOf(name: string): number | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).offsetNanoseconds / 60e9;
  } catch {
    return undefined;
  }
}

const minutesOf = ([, sign, hours, minutes = '0']: RegExpExecArray): number =>
  (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
