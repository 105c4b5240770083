/** Hours of the day in which a channel is told only what is urgent. */
export interface QuietHours {
  /** Beginning and end on the clocks of the time zone, `HH:MM`. An end before the beginning is that of the next day. */
  readonly from: string;
  readonly to: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** Reports whether a time, in milliseconds since the epoch, is within quiet hours. */
export function isQuiet(hours: QuietHours | undefined, now: number): boolean {
  if (!hours) return false;
  const { from, to, timeZone } = hours;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now);
  return from <= to ? from <= time && time < to : from <= time || time < to;
}
