import { createOpenApi } from '../../src/app/admin-api.ts';

/** The file that describes the administrative API and the announcements. */
export const file = 'docs/openapi.json';

/** Returns the content of {@link file}. */
export const writeDocument = (): string => `${JSON.stringify(createOpenApi(), null, 2)}\n`;
