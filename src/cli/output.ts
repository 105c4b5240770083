import { styleText } from 'node:util';

/** Colors a text where the terminal has colors and NO_COLOR is not set. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Output of a command: its result, messages on the way, and progress. */
export interface Output {
  readonly paint: Paint;
  readonly print: (text: string) => void;
  readonly say: (text: string) => void;
  readonly progress: Progress;
}

/** Progress as one line of text. `end` leaves the last line standing. */
interface Progress {
  readonly show: (line: string) => void;
  readonly end: () => void;
}

/** Minimum time between two lines of progress outside a terminal, in milliseconds. */
const INTERVAL_MS = 2000;

/**
 * Writes to the terminal. With `json`, only the result goes to standard output; the rest goes to standard error, as progress does if
 * that is asked for.
 */
export function openOutput({ json }: { readonly json?: boolean }, { progressApart = false } = {}): Output {
  const stream = json ? process.stderr : process.stdout;
  const progress = createProgress(progressApart ? process.stderr : stream);
  const say = (text: string) => {
    progress.clear();
    stream.write(`${stream.isTTY ? fold(text, stream.columns) : text}\n`);
  };
  const paint: Paint = (style, text) => styleText(style, text, { stream });
  return { print: (text) => process.stdout.write(`${text}\n`), say, progress, paint };
}

/** Says nothing more, and shows no progress, once a command is being stopped. */
export const untilStopped = (stop: AbortSignal, { say, progress, ...output }: Output): Output => ({
  ...output,
  say: (text) => void (stop.aborted || say(text)),
  progress: { ...progress, show: (line) => void (stop.aborted || progress.show(line)) },
});

/** Shows progress: rewrites one line in a terminal, writes a line now and then elsewhere. */
export function createProgress(
  output: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown },
  now: () => number = Date.now,
): Progress & { readonly clear: () => void } {
  let shown = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(line) {
      if (line === shown || (!output.isTTY && now() - shownAt < INTERVAL_MS)) return;
      output.write(output.isTTY ? `\r\x1b[2K${shorten(line, output.columns)}` : `${line}\n`);
      shown = line;
      shownAt = now();
    },
    end() {
      if (output.isTTY && shown) output.write('\n');
      shown = '';
    },
    /** Removes the last line from a terminal. */
    clear() {
      if (output.isTTY && shown) output.write('\r\x1b[2K');
      shown = '';
    },
  };
}

/** Breaks lines between words, since a terminal breaks them anywhere. */
const fold = (text: string, columns: number): string =>
  text.replaceAll(new RegExp(`(?=.{${columns + 1}})(.{0,${columns - 1}}\\S) +`, 'g'), '$1\n');

/** Shortens a line to what fits, since a terminal can rewrite only one of the lines into which it would break a longer one. */
const shorten = (line: string, columns = Number.POSITIVE_INFINITY): string =>
  line.length < columns ? line : `${line.slice(0, columns - 2)}…`;

/** Replaces control characters: some of the text comes from other systems, and a terminal would execute them. */
export const clean = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}');
