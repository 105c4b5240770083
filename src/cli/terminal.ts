import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';

export type Person = ReturnType<typeof openTerminal>;

export class UnansweredError extends Error {}

/** Lines of a paste that come before their questions answer them. */
export function openTerminal(stop: AbortSignal) {
  let isHidden = true;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  Object.defineProperty(output, 'columns', { get: () => process.stdout.columns });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const answers = lines[Symbol.asyncIterator]();
  // The rest of a paste may be a secret.
  lines.on('line', () => {
    isHidden = true;
  });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  stop.addEventListener('abort', () => lines.close());

  /** Trimmed. Rejects if the person ends the program, or the input ends. */
  async function ask(question: string, { hides = false } = {}): Promise<string> {
    process.stdout.write(`${styleText('bold', question)}\n`);
    isHidden = false;
    lines.prompt();
    isHidden = hides;
    const { value, done } = await answers.next();
    if (hides || done) process.stdout.write('\n');
    if (done) throw new UnansweredError('the question was not answered');
    return value.trim();
  }

  return {
    ask,
    confirm: async (question: string) => /^y(es)?$/i.test(await ask(`${question} [y/N]`)),
    close: () => lines.close(),
  };
}
