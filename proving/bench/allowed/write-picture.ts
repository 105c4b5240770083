import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../report.ts';
import { drawAllowed, tableOf } from './picture.ts';

/**
 * Draws the result of `npm run bench -- --only allowed --json`, whose file is the argument, and writes its table into the page about capacity.
 */
const [, , file] = process.argv;
if (!file) throw new Error('Usage: node proving/bench/allowed/write-picture.ts RESULT.json');
const { allowed } = JSON.parse(readFileSync(file, 'utf8')) as Results;
const docs = join(import.meta.dirname, '../../../docs');
writeFileSync(join(docs, 'allowed.svg'), drawAllowed(allowed));
const page = join(docs, 'capacity.md');
const TABLE = /(<!-- allowed -->\n).*?(\n<!-- \/allowed -->)/s;
const before = readFileSync(page, 'utf8');
if (!TABLE.test(before)) throw new Error(`${page} has no place for the table`);
writeFileSync(
  page,
  before.replace(TABLE, (_, opening: string, closing: string) => `${opening}\n${tableOf(allowed)}\n${closing}`),
);
