import { parseArgs } from 'node:util';

/** What is wrong with a command line, for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const options = {
  kind: { type: 'string' },
  stage: { type: 'string' },
  customer: { type: 'string' },
  attention: { type: 'string' },
  tenant: { type: 'string' },
  state: { type: 'string' },
  reason: { type: 'string' },
  since: { type: 'string' },
  summary: { type: 'boolean' },
  limit: { type: 'string' },
  after: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type OptionName = keyof typeof options;

const paging = ['limit', 'after'] as const;

/** Which words may follow each command, optional ones in brackets, and which options it takes besides `--json`. */
const commands = {
  status: { words: [], takes: [] },
  subjects: { words: [], takes: ['kind', 'stage', 'customer', 'attention', 'tenant', ...paging] },
  show: { words: ['kind', 'id'], takes: ['tenant'] },
  refresh: { words: ['kind', 'id'], takes: ['tenant'] },
  release: { words: ['kind', 'id'], takes: ['tenant'] },
  quarantine: { words: ['[id]'], takes: ['reason', 'tenant', 'summary', ...paging] },
  replay: { words: ['[id]'], takes: ['reason', 'since'] },
  announcements: { words: ['[id]'], takes: ['state', 'since', ...paging] },
  resend: { words: ['[id]'], takes: ['since'] },
} as const satisfies Record<string, { readonly words: readonly string[]; readonly takes: readonly OptionName[] }>;

/** The commands. */
export type AdminCommand = keyof typeof commands;

/** What the command line asks for. */
export interface AdminOptions {
  /** Undefined where only help is asked for. */
  readonly command: AdminCommand | undefined;
  readonly words: readonly string[];
  readonly values: { readonly [O in Exclude<OptionName, 'json' | 'help' | 'summary'>]?: string } & {
    readonly summary?: boolean;
  };
  /** Print the answer as JSON. */
  readonly json: boolean;
}

/** What `--help` prints. */
export const usage = `Usage: npm run admin -- <command> [options]

  status                        what waits, what fails, what is quarantined, and how many subjects are in which stage
  subjects                      lists orders, receipts, …: --kind, --stage, --customer, --tenant,
                                --attention stalled | refused | unannounced | failing
  show KIND ID                  one of them with its timeline and announcements; the tenant by --tenant where several have it
  refresh KIND ID               has it fetched now
  release KIND ID               ends its marks for attention
  quarantine [ID]               lists quarantined events (--reason, --tenant; --summary counts them by reason), or shows one
  replay [ID]                   reads quarantined events again, all or those of --reason or --since, and ingests what is understood now
  announcements [ID]            lists announcements (--state unsent | dead-lettered | sent, --since), or shows one
  resend ID | --since TIME      sends a dead-lettered announcement again, or all that were dead-lettered since

  --limit N, --after PLACE      how many a list shows (default 100, at most 500), and where the last one ended
  --since TIME                  2026-02-11T10:00:00Z, 2026-02-11 (UTC), or how long ago: 90m, 2h, 3d
  --reason TEXT                 how the reason begins
  --json                        print the answer as JSON
  --help                        print this

Lists show no bodies. Showing one event or announcement prints its body, which can name people.
ADMIN_URL says where Dockline is (default http://127.0.0.1:3001), ADMIN_TOKEN is its token.
Exits with 0 where all went well, 1 where it did not, 2 where the command line is wrong.`;

/** Parses the command line. @throws UsageError */
export function parseAdminOptions(args: readonly string[]): AdminOptions {
  const { positionals, values } = parse(args);
  const { json = false, help = false, ...others } = values;
  const [name, ...words] = positionals;
  if (help) return { command: undefined, words: [], values: {}, json };
  if (name === undefined || !isCommand(name)) {
    throw new UsageError(
      `${name === undefined ? 'There is no command' : `There is no command ${name}`}; --help lists them`,
    );
  }
  const stray = Object.keys(others).find((option) => !takes(name, option));
  if (stray) throw new UsageError(`--${stray} is not for ${name}`);
  const expected: readonly string[] = commands[name].words;
  const needed = expected.filter((word) => !word.startsWith('['));
  if (words.length < needed.length || words.length > expected.length) {
    throw new UsageError(
      `${name} takes ${expected.length === 0 ? 'no word' : expected.join(' and ')}; --help says more`,
    );
  }
  return { command: name, words, values: others, json };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const isCommand = (name: string): name is AdminCommand => Object.hasOwn(commands, name);

function takes(command: AdminCommand, option: string): boolean {
  const taken: readonly string[] = commands[command].takes;
  return taken.includes(option);
}
