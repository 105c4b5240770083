import { Option } from 'commander';
import { parseMoment } from '../base/moment.ts';
import { UsageError } from './usage-error.ts';

/** Forms of a time, for the help. */
const FORMS = '2026-02-11T10:00:00Z, 2026-02-11 (UTC), 90m, 2h or 3d';

/** Creates `--since`, whose value is a time in milliseconds since the epoch. */
export const sinceOption = (description: string): Option =>
  new Option('--since <time>', `${description}, such as ${FORMS}`).argParser((text) => parseSince(text));

/** Creates an option whose value is a time in ISO 8601, given as a time or an age. */
export const momentOption = (name: string, description: string): Option =>
  new Option(`--${name} <time>`, `${description}, such as ${FORMS}`).argParser((text) =>
    new Date(parseSince(text, Date.now(), name)).toISOString(),
  );

/** Parses a time or an age into milliseconds since the epoch. @throws UsageError */
export function parseSince(text: string, now = Date.now(), name = 'since'): number {
  const since = parseMoment(text, now);
  if (Number.isNaN(since)) {
    throw new UsageError(
      `--${name} must be a time like 2026-02-11T10:00:00Z or an age like 90m, 2h or 3d, not "${text}"`,
    );
  }
  if (since > now) throw new UsageError(`--${name} must not be in the future: ${text}`);
  return since;
}
