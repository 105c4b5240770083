import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { checkOut } from '../bench/against/checkout.ts';
import { type Mutant, mutants } from './mutants.ts';

/**
 * `npm run mutants`: breaks one line of the last commit after the other, and names the test that noticed. Exits with 1 if a broken line
 * survives.
 */
const { values } = parseArgs({ options: { only: { type: 'string' } } });
await using opened = new AsyncDisposableStack();
const { folder } = await checkOut('HEAD', opened);
const results = await mkdtemp(join(tmpdir(), 'dockline-mutants-'));
opened.defer(() => rm(results, { recursive: true, force: true }));

const chosen = mutants.filter(({ breaks, file }) => `${breaks} ${file}`.includes(values.only ?? ''));
const survivors: Mutant[] = [];
for (const mutant of chosen) {
  const caughtBy = await tryOne(mutant);
  if (caughtBy === undefined) survivors.push(mutant);
  console.log(
    `${caughtBy === undefined ? 'SURVIVES' : 'caught  '} ${mutant.breaks} (${mutant.file}): ${caughtBy ?? ''}`,
  );
}
console.log(`\n${chosen.length - survivors.length} of ${chosen.length} broken lines were noticed.`);
process.exitCode = chosen.length > 0 && survivors.length === 0 ? 0 : 1;

/** Returns the name of the first test that fails with the line broken; undefined if none does. */
async function tryOne({ file, from, to, tests }: Mutant): Promise<string | undefined> {
  const path = join(folder, file);
  const source = await readFile(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} does not have exactly once: ${from}`);
  await writeFile(
    path,
    source.replace(from, () => to),
  );
  try {
    return await findFailure(tests);
  } finally {
    await writeFile(path, source);
  }
}

async function findFailure(tests: string): Promise<string | undefined> {
  const file = join(results, 'verdict.json');
  await rm(file, { force: true });
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const projects = tests.endsWith('.long.test.ts') ? ['long'] : ['unit', 'temporal'];
  const args = [...projects.map((name) => `--project=${name}`), '--bail=1', ...tests.split(' ')];
  const run = promisify(execFile)(process.execPath, [vitest, 'run', ...args], {
    cwd: folder,
    env: { ...process.env, TEST_VERDICT: file },
    maxBuffer: 2 ** 26,
  });
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  const { passed, failed } = JSON.parse(await readFile(file, 'utf8').catch(() => failWith(stdout)));
  if (passed + failed.length === 0) return failWith(stdout);
  return failed[0];
}

function failWith(stdout: string): never {
  throw new Error(`The tests did not run: ${stdout.slice(-2000)}`);
}
