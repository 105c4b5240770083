import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLError } from 'yaml';

/** Something that is wrong with a text, and in which line, counted from 1. */
export interface Problem {
  readonly line: number;
  readonly message: string;
}

/** Keys and indices from the top down to a part of a document. */
export type Path = readonly PropertyKey[];

/** A document whose parts know their lines. */
export interface YamlText {
  readonly document: Document;
  /** What keeps it from being read; never quotes the text, which holds secrets. */
  readonly problems: readonly Problem[];
  /** The part at a path, or the innermost around it that is there, with its line. */
  find(path: Path): { readonly isThere: boolean; readonly node: unknown; readonly line: number };
  lineOf(node: unknown): number;
}

/** Reads YAML, and so JSON. Every scalar is the text that stands there: a secret of digits loses no zero. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const toProblem = ({ code, pos }: YAMLError): Problem => ({
    line: lineAt(pos[0]),
    message: `cannot be read as YAML (${code.toLowerCase().replaceAll('_', ' ')}); does a value need quotes?`,
  });
  const lineOf = (node: unknown) => lineAt(startOf(node));
  const aliases: Problem[] = [];
  visit(document, {
    Alias: (_key, node) => {
      aliases.push({ line: lineOf(node), message: 'begins with *, which is no value in YAML: put it into quotes' });
    },
  });
  return {
    document,
    problems: [...[...document.errors, ...document.warnings].map(toProblem), ...aliases],
    lineOf,
    find: (path) => {
      const { rest, ...found } = descend({ node: document.contents, place: document.contents, rest: path });
      return { isThere: rest.length === 0, node: found.node, line: lineOf(found.place) };
    },
  };
}

/** Where a search stands: a node, what shows its place (its key, if it has one), and the path from there on. */
interface Standing {
  readonly node: unknown;
  readonly place: unknown;
  readonly rest: Path;
}

function descend(standing: Standing): Standing {
  const [step, ...rest] = standing.rest;
  const { node } = standing;
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
    return pair ? descend({ node: pair.value, place: pair.key, rest }) : standing;
  }
  const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? standing : descend({ node: item, place: item, rest });
}

function startOf(node: unknown): number {
  return (node as { readonly range?: readonly number[] | null } | null)?.range?.[0] ?? 0;
}
