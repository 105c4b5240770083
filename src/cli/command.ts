import { lstatSync } from 'node:fs';
import { userInfo } from 'node:os';
import { parseEnv } from 'node:util';
import { Command, CommanderError, Option } from 'commander';
import { parseMoment } from '../base/moment.ts';
import { messageOf } from '../domain/errors.ts';
import { readTextFile } from '../forms/files.ts';
import { fold } from './output.ts';

/** For the audit log. A user id without an entry, as a container may have, names itself. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}

const DEFAULT_FILE = '.env';

/** Default: `.env` in the working directory. The environment takes precedence. */
export function loadEnvFile(program: Command): void {
  const { config = DEFAULT_FILE } = program.opts<{ readonly config?: string }>();
  if (lstatSync(config, { throwIfNoEntry: false }) === undefined) {
    if (config === DEFAULT_FILE) return;
    throw new UsageError(`--config ${config}: there is no such file`);
  }
  for (const [name, value] of Object.entries(parseEnv(read(config)))) process.env[name] ??= value;
}

function read(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new Error(`${path} cannot be read as a file of variables: ${messageOf(error)}`, { cause: error });
  }
}

const USAGE_EXIT_CODE = 2;

export class UsageError extends CommanderError {
  constructor(message: string) {
    super(USAGE_EXIT_CODE, 'dockline.usage', message);
  }
}

export const CONFIGURATION_HELP =
  '\nConfiguration is read from environment variables and from the file .env; .env.example lists them all.' +
  '\nExits with 2 if the command line is invalid.';

export const createCommand = (name: string, description: string): Command =>
  createProgram(name, description).option('--json', 'print the result as JSON, and everything else to standard error');

export const createProgram = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    // Leaves room for sentences in 80 columns; a command's own help has its arguments and options.
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: 30, showGlobalOptions: true })
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      outputError: () => undefined,
      writeOut: (text) => process.stdout.write(fold(text, process.stdout.columns ?? Number.POSITIVE_INFINITY)),
      writeErr: (text) => process.stderr.write(fold(text, process.stderr.columns ?? Number.POSITIVE_INFINITY)),
    });

export function numberOption(
  flags: string,
  description: string,
  { min = 1, max }: { readonly min?: number; readonly max: number },
): Option {
  const option = new Option(flags, description);
  return option.argParser((text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    const range = [min, max].map((limit) => limit.toLocaleString('en-US')).join(' to ');
    throw new UsageError(`${option.long} must be a whole number from ${range}`);
  });
}

const FORMS = '2026-02-11T10:00:00Z, 2026-02-11 (UTC), 90m, 2h or 3d';

/** Takes a time or an age; by default its value is in milliseconds since the epoch. */
export const momentOption = (name: string, description: string, toValue = (at: number): unknown => at): Option =>
  new Option(`--${name} <time>`, `${description}, such as ${FORMS}`).argParser((text) =>
    toValue(parseSince(text, Date.now(), name)),
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

/** Reads `.env`. A failure becomes one message on standard error and an exit code. */
export async function runCommand(
  command: Command,
  { program = 'dockline' }: { readonly program?: string } = {},
): Promise<void> {
  process.stdout.on('error', ignoreClosedPipe);
  const failure = await execute(command.hook('preAction', loadEnvFile), process.argv.slice(2));
  if (failure === undefined) return;
  if (failure.message) process.stderr.write(`${program}: ${failure.message}\n`);
  process.exitCode = failure.exitCode;
}

/** A reader such as `head` may close the pipe once it has read enough. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

export async function execute(command: Command, args: readonly string[]) {
  try {
    await command.parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) return { message: messageOf(error), exitCode: 1 };
    return error.exitCode === 0 ? undefined : { message: explain(error), exitCode: USAGE_EXIT_CODE };
  }
}

function explain(error: CommanderError): string {
  // The help, which lists the commands, has been printed.
  if (error.code === 'commander.help') return '';
  const said = error.message.replace(/^error: /, '').replace('\n(', ' (');
  if (error.code === 'commander.unknownCommand' && !said.endsWith(')')) return `${said}; --help lists the commands`;
  return error.code === 'commander.missingArgument' ? `${said}; --help shows what it takes` : said;
}

const PARENT_EVERY_MS = 500;

/** Aborted by the first SIGINT or SIGTERM, or the end of the npm that started the process; the second signal exits. */
export function openStopSignal(action: string): AbortSignal {
  const stop = new AbortController();
  const { ppid: parent } = process;
  // npm ends on SIGTERM without passing it on.
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid !== parent && stop.abort(), PARENT_EVERY_MS).unref();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(130);
      process.stderr.write(`\n${action}. Press Ctrl-C again to exit immediately.\n`);
      stop.abort();
    });
  }
  return stop.signal;
}
