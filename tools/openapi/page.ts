import { code, table, withTables } from '../../test/support/marked-tables.ts';
import { createOpenApi } from './document.ts';

/** The page that names the calls of the administrative API, by their tags. */
export const page = 'docs/administrative-api.md';

/** Returns the content of {@link page}, with the table of all calls. What a call does, takes and answers is in the contract alone. */
export function writePage(): string {
  const { paths, tags } = createOpenApi();
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          tags: [tag],
        },
      ]) => ({ tag, name: `${method.toUpperCase()} ${path}` }),
    ),
  );
  const rows = (tags as readonly { readonly name: string }[]).map(({ name: tag }) => {
    const own = calls.filter((call) => call.tag === tag);
    return [tag, own.map(({ name }) => code(name)).join(', ')];
  });
  return withTables(page, { calls: table(['of', 'calls'], rows) });
}
