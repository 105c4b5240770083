import { writeFileSync } from 'node:fs';
import * as examples from '../../test/destinations/announcements/example.ts';

// The document has the recorded examples, which are written before it is loaded.
writeFileSync(examples.file, examples.writeExamples());
const { file, writeDocument } = await import('./document.ts');
writeFileSync(file, writeDocument());
const { page, writePage } = await import('./page.ts');
writeFileSync(page, writePage());
