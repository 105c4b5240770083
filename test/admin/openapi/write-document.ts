import { writeFileSync } from 'node:fs';
import { file, publishedFile, writeDocument, writePublished } from './document.ts';

writeFileSync(file, writeDocument());
if (process.argv.includes('publish')) writeFileSync(publishedFile, writePublished());
