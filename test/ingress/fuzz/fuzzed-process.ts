import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Secret of the endpoint `hmac`. */
export const SECRET = 'a-shared-secret-of-some-length';

/** Maximum size of a body, in bytes. */
export const BODY_BYTES = 1_048_576;

/** Time limits of nginx, in milliseconds. */
export const limits = { headersMs: 1500, bodyMs: 3000, idleMs: 500 } as const;

/** Gives nginx the limits of the fuzzer, so that connections end soon. */
export const impatient = (site: string): string =>
  site
    .replace(/client_max_body_size .*;/, `client_max_body_size ${BODY_BYTES};`)
    .replace(
      /client_header_timeout .*;/,
      `client_header_timeout ${limits.headersMs}ms; keepalive_timeout ${limits.idleMs}ms;`,
    )
    .replace(
      /client_body_timeout .*;/,
      `client_body_timeout ${limits.bodyMs}ms; lingering_timeout ${limits.idleMs}ms;`,
    );

/** Message of the process under test. */
export type Report =
  | { readonly url: string }
  | { readonly residentBytes: number; readonly stalledMs: number }
  | { readonly line: string };

/** Webhook process under test. */
export interface FuzzedProcess {
  readonly url: string;
  /** Largest resident memory that it reported, in bytes. */
  peakBytes(): number;
  /** Longest time that it waited for a processor or a disk, in milliseconds. */
  stalledMs(): number;
  /** Lines that it logged. */
  readonly lines: readonly string[];
  isRunning(): boolean;
  /** Kills it, so that only what is on disk remains. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL('webhook-process.ts', import.meta.url));

/** Starts the webhook over a SQLite file; the key of its endpoint `rsa` is at the base URL. */
export async function startFuzzedProcess(file: string, baseUrl: string): Promise<FuzzedProcess> {
  const process = fork(program, [file, baseUrl], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const lines: string[] = [];
  let peak = 0;
  let stalled = 0;
  const url = await new Promise<string>((resolve, reject) => {
    process.once('exit', (code, signal) => reject(new Error(`the webhook ended: ${code ?? signal}`)));
    process.on('message', (report: Report) => {
      if ('url' in report) resolve(report.url);
      else if ('line' in report) lines.push(report.line);
      else [peak, stalled] = [Math.max(peak, report.residentBytes), Math.max(stalled, report.stalledMs)];
    });
  });
  const isRunning = () => process.exitCode === null && process.signalCode === null;
  return {
    url,
    lines,
    peakBytes: () => peak,
    stalledMs: () => stalled,
    isRunning,
    kill: () => kill(process, isRunning()),
  };
}

async function kill(process: ChildProcess, isRunning: boolean): Promise<void> {
  const exited = once(process, 'exit');
  process.kill('SIGKILL');
  if (isRunning) await exited;
}
