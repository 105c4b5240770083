import { writeFileSync } from 'node:fs';
import { settingFiles } from './files.ts';

for (const [path, text] of Object.entries(settingFiles())) writeFileSync(path, text);
