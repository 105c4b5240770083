import { writeFileSync } from 'node:fs';
import * as warehouses from '../../config/tenants/file-schema.ts';
import { file, writeDocument } from './document.ts';

writeFileSync(file, writeDocument());
writeFileSync(warehouses.file, warehouses.writeSchema());
