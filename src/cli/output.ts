import { createProgress } from './progress.ts';

/** Where a run writes: its result, what it says on the way, and its progress. */
export interface Output {
  readonly print: (text: string) => void;
  readonly say: (text: string) => void;
  readonly progress: ReturnType<typeof createProgress>;
}

/** Writes to the terminal; with `json`, standard output holds the result and nothing else. */
export function openOutput({ json }: { readonly json: boolean }): Output {
  const stream = json ? process.stderr : process.stdout;
  const progress = createProgress(stream);
  const say = (text: string) => {
    progress.end();
    stream.write(`${text}\n`);
  };
  return { print: (text) => process.stdout.write(`${text}\n`), say, progress };
}
