import { writeFileSync } from 'node:fs';
import { page, writePage } from './table.ts';

writeFileSync(page, writePage());
