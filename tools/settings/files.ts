import { withTables } from '../../test/support/marked-tables.ts';
import { writeEnvExample } from './env-example.ts';
import { describeFile } from './file-schema.ts';
import { tables } from './tables.ts';

/** Description of the file of settings for editors. */
export const SCHEMA = 'docs/dockline.schema.json';

/** Files with what the forms of settings say, by their paths; `npm run settings` writes them. */
export const settingFiles = (): Readonly<Record<string, string>> => ({
  '.env.example': writeEnvExample(),
  ...Object.fromEntries(Object.entries(tables()).map(([page, ofPage]) => [page, withTables(page, ofPage)])),
  [SCHEMA]: `${JSON.stringify(describeFile(), null, 2)}\n`,
});
