import { spawn } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Installation, installPackage } from './installed-package.ts';
import { buildGo, isThere, type Needs, needsOfGo } from './needs.ts';

/** Installs the package as a company does, beside the examples; returns the folder. */
export async function installConsumer(): Promise<Installation> {
  const folder = await installPackage('consumer', ['express', 'fastify', 'pg']);
  await cp('consumer/examples', folder.path, { recursive: true });
  await writeFile(join(folder.path, 'library-server.py'), await libraryServer());
  return folder;
}

/** Returns the example in Python with the verification that the page for receivers shows. */
async function libraryServer(): Promise<string> {
  const [, verification] = /```python\n(.*?)```/s.exec(await readFile('docs/receiving.md', 'utf8')) ?? [];
  const example = await readFile('consumer/examples/server.py', 'utf8');
  return example.replace(/^def is_authentic.*?(?=^\n)/ms, () => verification ?? '');
}

/** Programs that the examples need beside this project, by name or extension: its name, and the command that reports it. */
const needs: Readonly<Record<string, Needs>> = {
  '.go': needsOfGo('consumer/examples/go'),
  '.php': ['PHP with SQLite (php-cli, php-sqlite3)', 'php', '-r', 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);'],
  '.py': ['Python', 'python3', '-c', 'import sqlite3'],
  'library-server.py': ['standardwebhooks of Python', 'python3', '-c', 'import sqlite3, standardwebhooks'],
};

/** Reports whether an example can run here; says what is missing otherwise. */
export function canRun(file: string): boolean {
  const needed = needs[file] ?? needs[extname(file)];
  return needed === undefined || isThere(file, needed);
}

/** Returns the command that runs an example in its folder. */
async function commandOf(folder: string, file: string, port: number): Promise<readonly [string, ...string[]]> {
  const name = basename(file);
  switch (extname(file)) {
    case '.go':
      return [await buildGo(folder)];
    case '.php':
      return ['php', '-d', 'post_max_size=64M', '-S', `127.0.0.1:${port}`, name];
    case '.py':
      return ['python3', name];
    default:
      return [process.execPath, name];
  }
}

/** Example that runs until the test ends. */
export interface RunningExample {
  /** Address of its announcements. */
  readonly url: string;
  /** Returns the ids of the announcements that it printed as taken. */
  taken(): string[];
  /** Returns what it has printed. */
  output(): string;
  /** Ends it. */
  stop(): Promise<void>;
}

/** Starts an example on a port. */
export async function startExample(path: string, file: string, secret: string, port: number): Promise<RunningExample> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const folder = join(path, dirname(file));
  const [command, ...args] = await commandOf(folder, file, port);
  const child = spawn(command, args, {
    cwd: folder,
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      ANNOUNCE_SECRET: secret,
      PORT: String(port),
      DATABASE: `${basename(file)}.db`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  // PHP says it in its own words.
  await expect.poll(() => output + errors).toMatch(new RegExp(`^listening on .*${port}$|:${port}\\) started`, 'm'));
  return {
    url: `http://127.0.0.1:${port}/announcements`,
    taken: () => [...output.matchAll(/^taken (.+)$/gm)].map(([, id = '']) => id),
    output: () => output,
    async stop() {
      const ended = new Promise((done) => child.once('close', done));
      child.kill('SIGKILL');
      await ended;
    },
  };
}
