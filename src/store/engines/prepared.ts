import type { CompiledQuery, Kysely } from 'kysely';
import type { Database } from '../schema.ts';
import { isPostgres } from './dialect.ts';

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Building a query takes several times as long as running it. Parameters must not decide how it is built. */
export function prepared<Parameters extends object, Row>(
  build: (db: Kysely<Database>, parameters: Parameters) => { compile(): CompiledQuery<Row> },
): (db: Kysely<Database>, parameters: Parameters) => Promise<readonly Row[]> {
  const built = new Map<string, CompiledQuery<Row>>();
  return async (db, parameters) => {
    // A limited connection changes how queries are built.
    if (db.getExecutor().plugins.length > 0) return (await db.executeQuery(build(db, parameters).compile())).rows;
    const names = Object.keys(parameters);
    const key = `${isPostgres(db)} ${db.isTransaction} ${names}`;
    let query = built.get(key);
    if (!query) {
      const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]));
      query = build(db, placeholders as Parameters).compile();
      built.set(key, query);
    }
    const values = query.parameters.map((it) =>
      it instanceof Placeholder ? parameters[it.name as keyof Parameters] : it,
    );
    return (await db.executeQuery<Row>({ ...query, parameters: values })).rows;
  };
}
