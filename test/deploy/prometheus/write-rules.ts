import { writeFileSync } from 'node:fs';
import { file, writeRules } from './rules.ts';

writeFileSync(file, writeRules());
