import { createOpenApi } from '../../src/app/admin-api.ts';
import { code, table, withTables } from '../../test/support/marked-tables.ts';

/** The page that lists the calls of the administrative API, by their tags. */
export const page = 'docs/administrative-api.md';

/** Returns the content of {@link page}, with the tables that the calls make. What a call takes and answers is in the contract alone. */
export function writePage(): string {
  const { paths, tags } = createOpenApi();
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ ...call, name: `${method.toUpperCase()} ${path}` })),
  );
  const tableOf = (tag: string): string =>
    table(
      ['call', 'role', 'what it does'],
      calls
        .filter(({ tags: [own] }) => own === tag)
        .map(({ name, security, summary }) => [
          code(name),
          security?.[0]?.token?.map(code).join('') ?? 'receiver',
          summary,
        ]),
    );
  const names = (tags as readonly { readonly name: string }[]).map(({ name }) => name);
  return withTables(page, Object.fromEntries(names.map((name) => [name, tableOf(name)])));
}
