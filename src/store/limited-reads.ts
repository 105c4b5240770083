import {
  AliasNode,
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  FromNode,
  IdentifierNode,
  type Kysely,
  type KyselyPlugin,
  ParensNode,
  RawNode,
  type RootOperationNode,
  SelectionNode,
  SelectQueryNode,
  sql,
  type WithNode,
} from 'kysely';
import { type Permitted, permitAnyone } from '../domain/permission.ts';
import { type Reach, rowsWithin } from './rows-within.ts';
import type { Database } from './schema.ts';

/** Reads nothing that somebody may not have now; views, files and alerts read by no other connection. */
export type PermittedReads = Permitted<Kysely<Database>>;

export const readEverything = (reads: Kysely<Database>): PermittedReads => permitAnyone(reads);

/**
 * A connection within the limits of a token, whatever a statement says: it becomes a subquery, in which each table means its rows within
 * the limits, and which no database lets write.
 */
export function limitReads(reads: Kysely<Database>, reach: Reach): PermittedReads {
  const shadows = rowsWithin(reads, reach).map(({ table, rows }) => ({
    table,
    ...CommonTableExpressionNode.create(CommonTableExpressionNameNode.create(table), rows.toOperationNode()),
    materialized: false,
  }));
  const executor = reads.getExecutor();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      // To compile and to plan all of them would take longer than most statements.
      const text = executor.compileQuery(node, queryId).sql.toLowerCase();
      const named = shadows.filter(({ table }) => text.includes(table));
      // There has to be one.
      return limit(node, { kind: 'WithNode', expressions: named.length > 0 ? named : shadows.slice(-1) });
    },
    transformResult: async ({ result }) => result,
  };
  return reads.withPlugin(plugin) as PermittedReads;
}

/** Kysely wants a node of the same kind. */
function limit(node: RootOperationNode, shadows: WithNode): RootOperationNode {
  const statement = AliasNode.create(ParensNode.create(node), IdentifierNode.create('limited'));
  if (SelectQueryNode.is(node)) {
    const from = FromNode.create([statement]);
    return { kind: 'SelectQueryNode', with: shadows, selections: [SelectionNode.createSelectAll()], from };
  }
  if (!RawNode.is(node)) throw new Error('A limited connection only reads.');
  const [shadowing, limited] = [shadows, statement].map((it) => ({ toOperationNode: () => it }));
  return sql`${shadowing} select * from ${limited}`.toOperationNode();
}
