import { writeFileSync } from 'node:fs';
import { composeVectors } from './vectors.ts';

for (const [name, vector] of Object.entries(await composeVectors())) {
  writeFileSync(`consumer/vectors/${name}.json`, `${JSON.stringify(vector, null, 2)}\n`);
}
