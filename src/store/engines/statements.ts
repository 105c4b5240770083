/** The store has about fifty, and more with lists of varying length. */
const STATEMENTS = 200;

export function cacheStatements<Statement>(prepare: (sql: string) => Statement): (sql: string) => Statement {
  const prepared = new Map<string, Statement>();
  return (sql) => {
    const statement = prepared.get(sql) ?? prepare(sql);
    prepared.delete(sql);
    prepared.set(sql, statement);
    const [leastRecent] = prepared.size > STATEMENTS ? prepared.keys() : [];
    if (leastRecent !== undefined) prepared.delete(leastRecent);
    return statement;
  };
}
