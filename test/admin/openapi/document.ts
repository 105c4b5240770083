import { createOpenApi } from '../../../src/app/admin-api.ts';

/** The file that describes the administrative API and the announcements. */
export const file = 'docs/openapi.json';

/** The administrative API that its clients know, with which changes of it are compared. */
export const publishedFile = 'test/admin/openapi/published.json';

const write = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the content of {@link file}. */
export const writeDocument = (): string => write(createOpenApi());

/** Returns the content of {@link publishedFile}: announcements have a contract of their own. */
export function writePublished(): string {
  const { paths, components } = createOpenApi();
  return write({ paths, components });
}
