import { writeFileSync } from 'node:fs';
import { describeAnnouncement } from './announcement-schema.ts';
import { composeVectors } from './vectors.ts';

const write = (file: string, value: unknown) =>
  writeFileSync(`consumer/${file}`, `${JSON.stringify(value, null, 2)}\n`);

for (const [name, vector] of Object.entries(await composeVectors())) write(`vectors/${name}.json`, vector);
write('announcement.schema.json', describeAnnouncement());
