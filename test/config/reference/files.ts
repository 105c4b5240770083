import { readFileSync } from 'node:fs';
import { describeWarehousesFile } from '../../../src/config/tenants/file-schema.ts';
import { writeEnvExample } from './env-example.ts';
import { tables } from './tables.ts';

/** Returns a page with its tables between their marks. */
function withTables(page: string, ofPage: Readonly<Record<string, string>>): string {
  return Object.entries(ofPage).reduce(
    (text, [mark, table]) => {
      const part = new RegExp(`(<!-- ${mark} -->\\n).*?(<!-- /${mark} -->)`, 's');
      if (!part.test(text)) throw new Error(`${page} has no place for ${mark}`);
      return text.replace(part, (_, opening: string, closing: string) => `${opening}\n${table}\n${closing}`);
    },
    readFileSync(page, 'utf8'),
  );
}

/** Description of the file of warehouses for editors. */
export const WAREHOUSES_SCHEMA = 'docs/warehouses.schema.json';

/** Files with what the forms of settings say, by their paths; `npm run settings` writes them. */
export const settingFiles = (): Readonly<Record<string, string>> => ({
  '.env.example': writeEnvExample(),
  ...Object.fromEntries(Object.entries(tables()).map(([page, ofPage]) => [page, withTables(page, ofPage)])),
  [WAREHOUSES_SCHEMA]: `${JSON.stringify(describeWarehousesFile(), null, 2)}\n`,
});
