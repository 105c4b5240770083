import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';

export type Person = ReturnType<typeof openTerminal>;

export class UnansweredError extends Error {}

const PROMPT = '> ';

/** Between two questions the terminal is as it was, so that Ctrl-C means what it always does. */
export function openTerminal(stop: AbortSignal) {
  /** Lines of a paste that came before their question. */
  const ahead: string[] = [];

  /** Trimmed. Rejects if the person ends the program, or the input ends. */
  async function ask(question: string, { isHidden = false } = {}): Promise<string> {
    process.stdout.write(`${styleText('bold', question)}\n`);
    const pasted = ahead.shift();
    if (pasted !== undefined) process.stdout.write(`${PROMPT}${isHidden ? '' : pasted}\n`);
    return (pasted ?? (await readLine(isHidden, ahead, stop))).trim();
  }

  return { ask, confirm: async (question: string) => /^y(es)?$/i.test(await ask(`${question} [y/N]`)) };
}

function readLine(isHidden: boolean, ahead: string[], stop: AbortSignal): Promise<string> {
  const screen = openScreen();
  const lines = createInterface({ input: process.stdin, output: screen.stream, terminal: true, prompt: PROMPT });
  const close = () => lines.close();
  stop.addEventListener('abort', close);
  return new Promise<string>((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line);
      // The rest of a paste answers later questions, and may be a secret.
      screen.hide(true);
      lines.on('line', (more) => ahead.push(more));
      queueMicrotask(close);
    });
    lines.once('close', () => {
      stop.removeEventListener('abort', close);
      // The line of a hidden or unfinished answer has not ended.
      if (isHidden) process.stdout.write('\n');
      reject(new UnansweredError('the question was not answered'));
    });
    lines.prompt();
    screen.hide(isHidden);
  });
}

function openScreen() {
  let isHidden = false;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  Object.defineProperty(stream, 'columns', { get: () => process.stdout.columns });
  return {
    stream,
    hide(from: boolean) {
      isHidden = from;
    },
  };
}
