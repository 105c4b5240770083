import { writeFileSync } from 'node:fs';
import { file, page, writePage, writeRules } from './rules.ts';

writeFileSync(file, writeRules());
writeFileSync(page, writePage());
