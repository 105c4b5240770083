import { Option } from 'commander';
import { UsageError } from './command.ts';

/** Units of a duration, in milliseconds. */
export const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A day, or a time of day with minutes at least; UTC if it has no zone. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Creates `--since`, whose value is a time in milliseconds since the epoch. */
export const sinceOption = (description: string): Option =>
  new Option(
    '--since <time>',
    `${description}, such as 2026-02-11T10:00:00Z, 2026-02-11 (UTC), 90m, 2h or 3d`,
  ).argParser((text) => parseSince(text));

/** Parses a time or an age into milliseconds since the epoch. @throws UsageError */
export function parseSince(text: string, now = Date.now()): number {
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const since = amount ? now - Number(amount) * unitsMs[unit as keyof typeof unitsMs] : parseTime(text);
  if (Number.isNaN(new Date(since).getTime())) {
    throw new UsageError(
      `--since must be a time like 2026-02-11T10:00:00Z or an age like 90m, 2h or 3d, not "${text}"`,
    );
  }
  if (since > now) throw new UsageError(`--since must not be in the future: ${text}`);
  return since;
}

function parseTime(text: string): number {
  const [, time, , , zone] = TIME.exec(text) ?? [];
  const isComplete = zone !== undefined || time === undefined;
  return TIME.test(text) ? Date.parse(isComplete ? text : `${text}Z`) : Number.NaN;
}
