import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';

/** Reports whether there is a terminal emulator without a window. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

if (!hasTmux) console.warn('Tests at a terminal are skipped: tmux is not installed.');

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs a program in a terminal emulator of this width; what it shows is what a person sees. */
export function openScreen({
  command,
  columns = 80,
  cwd,
  env = {},
}: {
  readonly command: readonly string[];
  readonly columns?: number;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}) {
  const socket = `dockline-${randomUUID()}`;
  const tmux = (...args: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  };
  const settings = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env };
  const words = [
    'env',
    '-i',
    'TERM=xterm-256color',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  ];
  const line = [...words, ...command].map(quote).join(' ');
  // What has ended stays on the screen.
  tmux(
    ...[
      'new-session',
      '-d',
      '-x',
      String(columns),
      '-y',
      '60',
      '-c',
      cwd,
      `${line}; echo "[ended with $?]"; sleep 600`,
    ],
  );
  onTestFinished(() => void spawnSync('tmux', ['-L', socket, 'kill-server']));
  /** Everything that was shown; lines that the terminal broke are whole. */
  const text = (): string =>
    tmux('capture-pane', '-p', '-J', '-S', '-500')
      .replaceAll(/[ \t]+$/gm, '')
      .trimEnd();
  return {
    text,
    /** Everything that was shown, with its colors. */
    styled: () => tmux('capture-pane', '-p', '-e', '-S', '-500'),
    /** Number of rows that are taken. */
    rows: () => tmux('capture-pane', '-p').trimEnd().split('\n').length,
    /** Types a text as it is. */
    type: (text: string) => tmux('send-keys', '-l', text),
    /** Presses a key by its name, such as Enter or C-c. */
    press: (key: string) => tmux('send-keys', key),
    /** Waits until what is shown ends so. */
    untilEndsWith: (end: string) => expect.poll(() => text().slice(-end.length)).toBe(end),
    untilShows: (part: string) => expect.poll(text).toContain(part),
  };
}
