const form = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?$/i;

/**
 * Milliseconds since the epoch for a time as the envelope writes it: any number of fraction digits, and UTC where it says no
 * offset. Undefined for anything else, such as the year 1 that stands for "no time".
 */
export function parseEventTime(text: string): number | undefined {
  const [, date, time, fraction = '', zone = 'Z'] = form.exec(text) ?? [];
  if (!date) return undefined;
  const parsed = Date.parse(`${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone.toUpperCase()}`);
  return parsed > 0 ? parsed : undefined;
}
