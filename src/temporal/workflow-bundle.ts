import { createHash, randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { bundleWorkflowCode, type Logger, Runtime, Worker } from '@temporalio/worker';
import { makeFolder } from '../forms/files.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** `.ts`, or `.js` in a package. */
const EXTENSION = extname(import.meta.filename);

export const workflowsPath = join(ROOT, `workflows/index${EXTENSION}`);

/** Values that a workflow imports from the domain; types are not there at run time. */
const DOMAIN_IMPORT = /^import (?!type\b)[^;]*? from '\.\.\/(src\/domain\/[^']+)';/gm;

/** Modules that run once for all workflows of a thread: the stateless domain, and the one that turns stacks off. */
export function findPreloaded(): string[] {
  const sources = globSync(`workflows/*${EXTENSION}`, { cwd: ROOT }).map((name) =>
    readFileSync(join(ROOT, name), 'utf8'),
  );
  const imported = sources.flatMap((source) => [...source.matchAll(DOMAIN_IMPORT)].map(([, path = '']) => path));
  return [`workflows/no-stacks${EXTENSION}`, ...new Set(imported.sort())].map((path) => join(ROOT, path));
}

/** Whatever decides a bundle: the sources, which import nothing else of the product, and the versions of packages. */
const INPUTS = ['package.json', `{workflows,src/domain,src/base}/**/*${EXTENSION}`];

/** Reads the bundle that an earlier start kept, which halves the time of a start. */
export async function bundleWorkflows(
  folder: string,
  logger: Logger = Runtime.instance().logger,
): Promise<{ readonly code: string }> {
  const name = `workflows-${hashOfInputs()}.js.gz`;
  const kept = await read(join(folder, name)).catch(() => undefined);
  if (kept !== undefined) return { code: kept };
  const { code } = await bundleWorkflowCode({ workflowsPath, logger, preloadModules: findPreloaded() });
  await keep(folder, name, code).catch(() => undefined);
  return { code };
}

function hashOfInputs(): string {
  const hash = createHash('sha256').update(`${process.version} ${ROOT}`);
  for (const name of globSync(INPUTS, { cwd: ROOT }).sort())
    hash.update(`\0${name}\0`).update(readFileSync(join(ROOT, name)));
  return hash.digest('hex').slice(0, 32);
}

/** Rejects if it is missing or incomplete, which the checksum of its compression shows. */
const read = async (file: string): Promise<string> => (await promisify(gunzip)(await readFile(file))).toString();

async function keep(folder: string, name: string, code: string): Promise<void> {
  const partial = join(folder, `${name}.${randomUUID()}`);
  makeFolder(folder, 0o700);
  await writeFile(partial, await promisify(gzip)(code), { mode: 0o600 });
  await rename(partial, join(folder, name));
  const others = (await readdir(folder)).filter((other) => /^workflows-.*\.js\.gz$/.test(other) && other !== name);
  for (const other of others) await rm(join(folder, other), { force: true });
}

interface ReplayRunningOptions {
  readonly client: Client;
  readonly dataConverter?: DataConverter;
  readonly taskQueue: string;
  readonly cacheFolder: string;
  readonly limit?: number | undefined;
  readonly onProgress: (replayed: number) => void;
}

/** Replays with the current code; changes nothing on the server. Rejects with the client's own error if Temporal does not answer. */
export async function replayRunning(options: ReplayRunningOptions) {
  const { dataConverter, cacheFolder, onProgress } = options;
  const failures: { readonly workflowId: string; readonly runId: string; readonly reason: string }[] = [];
  let replayed = 0;
  const workflowBundle = await bundleWorkflows(cacheFolder);
  const replayer = { workflowBundle, ...(dataConverter && { dataConverter }) };
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(replayer, runningHistories(options))) {
    replayed += 1;
    if (error) failures.push({ workflowId, runId, reason: error.message.split('\n')[0] ?? '' });
    onProgress(replayed);
  }
  return { replayed, failures };
}

async function* runningHistories({ client, taskQueue, limit = Number.POSITIVE_INFINITY }: ReplayRunningOptions) {
  const query = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running'`;
  let count = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    if (count >= limit) return;
    count += 1;
    yield { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
  }
}
