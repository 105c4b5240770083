import { styleText } from 'node:util';

/** Outside a terminal, columns are infinite. */
export type Output = ReturnType<typeof openOutput>;

const INTERVAL_MS = 2000;

/** With `json`, only the result goes to standard output; progress never does. */
export function openOutput({ json }: { readonly json?: boolean }) {
  const stream = json ? process.stderr : process.stdout;
  const columns = stream.isTTY ? stream.columns : Number.POSITIVE_INFINITY;
  const progress = createProgress(process.stderr);
  const say = (text: string) => {
    progress.clear();
    stream.write(`${fold(text, columns)}\n`);
  };
  const paint = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { stream });
  return { print: (text: string): void => void process.stdout.write(`${text}\n`), say, progress, paint, columns };
}

export const untilStopped = (stop: AbortSignal, { say, progress, ...output }: Output): Output => ({
  ...output,
  say: (text) => void (stop.aborted || say(text)),
  progress: { ...progress, show: (line) => void (stop.aborted || progress.show(line)) },
});

/** Rewrites one line in a terminal, and writes a line now and then elsewhere. `end` leaves the last one standing. */
export function createProgress(
  output: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown },
  now: () => number = Date.now,
) {
  let shown = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(line: string): void {
      if (line === shown || (!output.isTTY && now() - shownAt < INTERVAL_MS)) return;
      output.write(output.isTTY ? `\r\x1b[2K${shorten(line, output.columns)}` : `${line}\n`);
      shown = line;
      shownAt = now();
    },
    end(): void {
      if (output.isTTY && shown) output.write('\n');
      shown = '';
    },
    clear(): void {
      if (output.isTTY && shown) output.write('\r\x1b[2K');
      shown = '';
    },
  };
}

/** A terminal breaks lines anywhere. A line that begins with a space stays whole. */
export const fold = (text: string, columns: number): string =>
  text.replaceAll(/^\S.*/gm, (line) => hang(line, columns, 0));

/** Fits a text beside what precedes it; the other lines are indented as far. */
export function hang(text: string, columns: number, indent: number): string {
  const width = Math.max(columns - indent, 20);
  const broken = Number.isFinite(width)
    ? text.replaceAll(new RegExp(`(?=.{${width + 1}})(.{0,${width - 1}}\\S) +`, 'g'), '$1\n')
    : text;
  return broken.replaceAll('\n', `\n${' '.repeat(indent)}`);
}

const shorten = (line: string, columns = Number.POSITIVE_INFINITY): string =>
  line.length < columns ? line : `${line.slice(0, columns - 2)}…`;

/** Some of the text comes from other systems, and a terminal would execute control characters. */
export const clean = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}');
