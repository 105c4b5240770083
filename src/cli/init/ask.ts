import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Somebody at a terminal. */
export interface Person {
  /** Resolves with what is typed, without spaces around it. Rejects if there is nothing more to read. */
  ask(question: string, options?: { readonly isHidden?: boolean }): Promise<string>;
  close(): void;
}

/** Opens the terminal for questions. What is typed to a hidden one is not shown. */
export function openTerminal(stop: AbortSignal): Person {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  return {
    async ask(question, options = {}) {
      process.stdout.write(question);
      isHidden = options.isHidden ?? false;
      try {
        return (await lines.question('', { signal: AbortSignal.any([stop, ended.signal]) })).trim();
      } catch (cause) {
        throw new Error('nothing is written: the questions were not answered to the end', { cause });
      } finally {
        if (isHidden) process.stdout.write('\n');
        isHidden = false;
      }
    },
    close: () => lines.close(),
  };
}
