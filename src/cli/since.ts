import { Option } from 'commander';
import { parseMoment } from '../base/moment.ts';
import { UsageError } from './usage-error.ts';

const FORMS = '2026-02-11T10:00:00Z, 2026-02-11 (UTC), 90m, 2h or 3d';

/** Its value is in milliseconds since the epoch. */
export const sinceOption = (description: string): Option =>
  new Option('--since <time>', `${description}, such as ${FORMS}`).argParser((text) => parseSince(text));

/** Takes a time or an age; its value is ISO 8601. */
export const momentOption = (name: string, description: string): Option =>
  new Option(`--${name} <time>`, `${description}, such as ${FORMS}`).argParser((text) =>
    new Date(parseSince(text, Date.now(), name)).toISOString(),
  );

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
