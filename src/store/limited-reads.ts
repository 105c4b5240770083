import {
  AliasNode,
  type FromNode,
  IdentifierNode,
  type JoinNode,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type RawNode,
  type RootOperationNode,
  SelectQueryNode,
  TableNode,
} from 'kysely';
import { type Reach, type Rows, rowsWithin } from './rows-within.ts';
import type { Database } from './schema.ts';

/**
 * Returns a connection that reads nothing beyond the limits of a token, whatever the statement asks for: each table in it is replaced by
 * its rows within the limits. Statements that write, or that name a table in plain text, are refused.
 */
export function limitReads(reads: Kysely<Database>, reach: Reach): Kysely<Database> {
  const limiter = new Limiter(rowsWithin(reads, reach));
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      assertReads(node);
      return limiter.transformNode(node);
    },
    transformResult: async ({ result }) => result,
  };
  return reads.withPlugin(plugin);
}

function assertReads(node: RootOperationNode): void {
  const isSelect =
    SelectQueryNode.is(node) || (node.kind === 'RawNode' && /^\s*(select|with)\b/i.test(node.sqlFragments[0] ?? ''));
  if (!isSelect) throw new Error('A limited token only reads.');
}

/** Replaces tables by their rows within the limits. */
class Limiter extends OperationNodeTransformer {
  readonly #rows: Rows;
  /** A table that a statement names in its own text. */
  readonly #inText: RegExp;

  constructor(rows: Rows) {
    super();
    this.#rows = rows;
    this.#inText = new RegExp(`\\b(?:from|join|into|update|,)\\s*"?(?:${Object.keys(rows).join('|')})\\b`, 'i');
  }

  protected override transformFrom(node: FromNode): FromNode {
    const from = super.transformFrom(node);
    return { ...from, froms: from.froms.map((it) => this.#limit(it)) };
  }

  protected override transformJoin(node: JoinNode): JoinNode {
    const join = super.transformJoin(node);
    return { ...join, table: this.#limit(join.table) };
  }

  protected override transformAlias(node: AliasNode): AliasNode {
    const alias = super.transformAlias(node);
    return { ...alias, node: this.#rowsOf(alias.node) ?? alias.node };
  }

  protected override transformRaw(node: RawNode): RawNode {
    const text = node.sqlFragments.find((fragment) => this.#inText.test(fragment));
    if (text !== undefined) throw new Error(`A statement names a table in its text, so it cannot be limited: ${text}`);
    const raw = super.transformRaw(node);
    return { ...raw, parameters: raw.parameters.map((it) => this.#limit(it)) };
  }

  #limit(node: OperationNode): OperationNode {
    const rows = this.#rowsOf(node);
    return rows && TableNode.is(node) ? AliasNode.create(rows, IdentifierNode.create(nameOf(node))) : node;
  }

  #rowsOf(node: OperationNode): OperationNode | undefined {
    if (!TableNode.is(node)) return undefined;
    // Others are names that the statement gives.
    return this.#rows[nameOf(node) as keyof Database]?.toOperationNode();
  }
}

const nameOf = ({ table }: TableNode): string => table.identifier.name;
