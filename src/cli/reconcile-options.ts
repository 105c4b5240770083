import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface ReconcileOptions {
  /** Milliseconds since the epoch; absent for as long ago as the first scheduled sweep looks back. */
  readonly since?: number;
  /** The one tenant to be swept; all of them where absent. */
  readonly tenant?: string;
  /** Print one JSON object as the last line; progress goes to standard error. */
  readonly json: boolean;
  readonly help: boolean;
}

/** What `--help` prints. */
export const usage = `Usage: npm run reconcile -- [options]

Compares what the warehouse lists with what Dockline, which has to be running, knows of it, and fetches what differs.

  --since TIME     what changed since then: 2026-02-11T10:00:00Z, 2026-02-11 (UTC), or how long ago: 90m, 2h, 3d
                   (default: as long ago as RECONCILE_LOOKBACK_MS says)
  --tenant ID      only this warehouse tenant (tplId)
  --json           print one JSON object as the last line
  --help           print this

Settings are environment variables; .env.example lists them all.`;

/** Parses the command line. Throws an Error with a message for the user. */
export function parseReconcileOptions(args: readonly string[], now = Date.now()): ReconcileOptions {
  const { since, tenant, json, help } = parseArgs({
    args: [...args],
    options: {
      since: { type: 'string' },
      tenant: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
  return {
    ...(since !== undefined && { since: parseSince(since, now) }),
    ...(tenant !== undefined && { tenant }),
    ...{ json, help },
  };
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A day, or a time of it to the minute or finer; UTC where it names no zone. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Reads `--since`: a time, or how long ago; milliseconds since the epoch. Throws an Error with a message for the user. */
export function parseSince(text: string, now: number): number {
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const since = amount ? now - Number(amount) * unitsMs[unit as keyof typeof unitsMs] : parseTime(text);
  if (Number.isNaN(new Date(since).getTime())) {
    throw new Error(
      `--since must be a time like 2026-02-11T10:00:00Z, or how long ago like 90m, 2h or 3d, not "${text}"`,
    );
  }
  if (since > now) throw new Error(`--since must not lie in the future, as ${text} does`);
  return since;
}

function parseTime(text: string): number {
  const [, time, , , zone] = TIME.exec(text) ?? [];
  const isComplete = zone !== undefined || time === undefined;
  return TIME.test(text) ? Date.parse(isComplete ? text : `${text}Z`) : Number.NaN;
}
