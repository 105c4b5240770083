import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface ReplayOptions {
  /** Replay the histories of workflows that run; nothing else can be asked for yet. */
  readonly running: boolean;
  /** How many of them at most; absent for all. */
  readonly limit?: number;
  /** Print one JSON object as the last line; progress goes to standard error. */
  readonly json: boolean;
  readonly help: boolean;
}

/** What `--help` prints. */
export const usage = `Usage: npm run replay -- --running [options]

Replays the histories of the workflows that run on TEMPORAL_ADDRESS with the code as it is, and changes nothing there. Run it with a
new version before that is deployed. A workflow whose history does not replay is not lost: the new version ends it within a minute,
and starts it anew from what is stored.

  --running        the workflows that run
  --limit N        no more than N of them, the newest first
  --json           print one JSON object as the last line
  --help           print this

Exits with 0 where all of them replay, 1 where one does not. Settings are environment variables; .env.example lists them all.`;

/** Parses the command line. Throws an Error with a message for the user. */
export function parseReplayOptions(args: readonly string[]): ReplayOptions {
  const { running, limit, json, help } = parseArgs({
    args: [...args],
    options: {
      running: { type: 'boolean', default: false },
      limit: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
  if (!running && !help) throw new Error('say which histories: --running; --help says more');
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) throw new Error('--limit must be a whole number from 1 on');
  return { running, ...(limit !== undefined && { limit: Number(limit) }), json, help };
}
