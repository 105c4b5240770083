import { readFile } from 'node:fs/promises';

/** JSON text of the description of the administrative API and of the announcements, OpenAPI 3.1. */
export const readOpenApi = (): Promise<Buffer> => readFile(new URL('../../docs/openapi.json', import.meta.url));
