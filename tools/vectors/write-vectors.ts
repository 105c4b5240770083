import { writeFileSync } from 'node:fs';
import { describeAnnouncement } from './announcement-schema.ts';
import { contractFiles } from './contract-files.ts';
import { composeVectors } from './vectors.ts';

for (const [path, text] of Object.entries(contractFiles())) writeFileSync(path, text);

const write = (file: string, value: unknown) =>
  writeFileSync(`consumer/${file}`, `${JSON.stringify(value, null, 2)}\n`);

for (const [name, vector] of Object.entries(await composeVectors())) write(`vectors/${name}.json`, vector);
write('announcement.schema.json', describeAnnouncement());
