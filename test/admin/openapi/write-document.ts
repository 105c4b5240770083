import { writeFileSync } from 'node:fs';
import { file, writeDocument } from './document.ts';

writeFileSync(file, writeDocument());
