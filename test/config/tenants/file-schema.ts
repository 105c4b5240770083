import { describeWarehousesFile } from '../../../src/config/tenants/file-schema.ts';

/** The file that describes the file of warehouses for editors. */
export const file = 'docs/warehouses.schema.json';

/** Returns the content of {@link file}. */
export const writeSchema = (): string => `${JSON.stringify(describeWarehousesFile(), null, 2)}\n`;
