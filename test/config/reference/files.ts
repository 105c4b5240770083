import { describeWarehousesFile } from '../../../src/config/tenants/file-schema.ts';
import { withTables } from '../../support/marked-tables.ts';
import { writeEnvExample } from './env-example.ts';
import { tables } from './tables.ts';

/** Description of the file of warehouses for editors. */
export const WAREHOUSES_SCHEMA = 'docs/warehouses.schema.json';

/** Files with what the forms of settings say, by their paths; `npm run settings` writes them. */
export const settingFiles = (): Readonly<Record<string, string>> => ({
  '.env.example': writeEnvExample(),
  ...Object.fromEntries(Object.entries(tables()).map(([page, ofPage]) => [page, withTables(page, ofPage)])),
  [WAREHOUSES_SCHEMA]: `${JSON.stringify(describeWarehousesFile(), null, 2)}\n`,
});
