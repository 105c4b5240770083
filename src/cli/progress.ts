/** Where progress is shown. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** How often a line is written where lines cannot be rewritten, in milliseconds. */
const INTERVAL_MS = 2000;

/** Shows progress: one line that is rewritten in a terminal, a line now and then elsewhere. `end` leaves the last one standing. */
export function createProgress(output: ProgressOutput, now: () => number = Date.now) {
  let shown = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(line: string): void {
      if (line === shown || (!output.isTTY && now() - shownAt < INTERVAL_MS)) return;
      output.write(output.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
      shown = line;
      shownAt = now();
    },
    end(): void {
      if (output.isTTY && shown) output.write('\n');
      shown = '';
    },
  };
}
