import { writeFileSync } from 'node:fs';
import { file, writePages, writeRules } from './rules.ts';

writeFileSync(file, writeRules());
for (const [path, text] of writePages()) writeFileSync(path, text);
