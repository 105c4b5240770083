import { Temporal } from 'temporal-polyfill';

/** Zones without daylight saving time that belong to no place. Whoever writes UTC means it. */
const OF_NO_PLACE = /^(?:etc\/(?!utc$).+|systemv\/\w{3}\d|est|mst|hst|gmt.*|greenwich|uct|universal|zulu)$/i;

/** Offset in place of a name: `-06:00`, `UTC+5`. */
const OFFSET = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/** To write instead: of each offset one with daylight saving time, if there is one, before one without. */
const places =
  'Pacific/Pago_Pago Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Phoenix America/Chicago America/Costa_Rica America/New_York America/Panama America/Halifax America/Puerto_Rico America/St_Johns America/Sao_Paulo Europe/London Atlantic/Reykjavik Europe/Berlin Africa/Lagos Europe/Athens Africa/Johannesburg Europe/Istanbul Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Bangkok Asia/Singapore Asia/Tokyo Australia/Adelaide Australia/Darwin Australia/Sydney Australia/Brisbane Pacific/Auckland Pacific/Fiji'.split(
    ' ',
  );

/** Completes "timeZone: …"; undefined for the zone of a place. */
export function problemOfZone(text: string): string | undefined {
  const offset = OFFSET.exec(text);
  if (!offset && !OF_NO_PLACE.test(text)) return isZone(text) ? undefined : UNKNOWN;
  const minutes = offset ? minutesOf(offset) : offsetOf(text);
  const [place, other] = places.filter((it) => offsetOf(it) === minutes);
  if (place === undefined) return UNKNOWN;
  const instead = other === undefined ? place : `${place}, or ${other} if its clocks do not change`;
  return `has no daylight saving time and is the zone of no place: write that of the warehouse, such as ${instead}`;
}

const UNKNOWN = 'must be the name of a time zone, such as America/Chicago';

const isZone = (text: string): boolean => /^[A-Za-z]/.test(text) && offsetOf(text) !== undefined;

/** In winter and summer. */
const moments = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((at) => Temporal.Instant.fromEpochMilliseconds(at));

/** Minutes, without daylight saving time; undefined for no zone. */
function offsetOf(name: string): number | undefined {
  try {
    return Math.min(...moments.map((it) => it.toZonedDateTimeISO(name).offsetNanoseconds / 60e9));
  } catch {
    return undefined;
  }
}

const minutesOf = ([, sign, hours, minutes = '0']: RegExpExecArray): number =>
  (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
