import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawAllowed, tableOf } from './allowed/picture.ts';
import type { Results } from './report.ts';
import { costTable, latencyTable } from './steady/table.ts';

/**
 * Writes the results of `npm run bench -- --only steady allowed --json`, whose file is the argument, into the documents: the picture, and
 * the tables between their marks. A section that was not measured leaves its own alone.
 */
const [, , file] = process.argv;
if (!file) throw new Error('Usage: node proving/bench/write-results.ts RESULT.json');
const { steady, allowed } = JSON.parse(readFileSync(file, 'utf8')) as Results;
const root = join(import.meta.dirname, '../..');
if (allowed.length > 0) {
  writeFileSync(join(root, 'docs/allowed.svg'), drawAllowed(allowed));
  replace('docs/benchmarks.md', 'allowed', tableOf(allowed));
}
if (steady.length > 0) {
  replace('docs/benchmarks.md', 'steady', latencyTable(steady));
  replace('docs/benchmarks.md', 'steady-cost', costTable(steady));
}

/** Replaces what stands in a page between two comments. */
function replace(page: string, mark: string, text: string): void {
  const path = join(root, page);
  const before = readFileSync(path, 'utf8');
  const part = new RegExp(`(<!-- ${mark} -->\\n).*?(\\n<!-- /${mark} -->)`, 's');
  if (!part.test(before)) throw new Error(`${page} has no place for ${mark}`);
  writeFileSync(
    path,
    before.replace(part, (_, opening: string, closing: string) => `${opening}\n${text}\n${closing}`),
  );
}
