import { readFileSync, writeFileSync } from 'node:fs';
import { withTable } from './table.ts';

writeFileSync('README.md', withTable(readFileSync('README.md', 'utf8')));
