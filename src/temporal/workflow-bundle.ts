import { createHash, randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { bundleWorkflowCode, type Logger, Runtime } from '@temporalio/worker';
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
const INPUTS = ['package.json', `{workflows,src/domain}/**/*${EXTENSION}`];

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

/** Replaces the bundles of other sources. */
async function keep(folder: string, name: string, code: string): Promise<void> {
  const partial = join(folder, `${name}.${randomUUID()}`);
  makeFolder(folder, 0o700);
  await writeFile(partial, await promisify(gzip)(code), { mode: 0o600 });
  await rename(partial, join(folder, name));
  const others = (await readdir(folder)).filter((other) => /^workflows-.*\.js\.gz$/.test(other) && other !== name);
  for (const other of others) await rm(join(folder, other), { force: true });
}
