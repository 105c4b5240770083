import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import type { Environment } from '../../forms/forms.ts';

/** Error in a text, with its line counted from 1. */
export interface LineProblem {
  readonly line: number;
  readonly message: string;
}

/** Keys and indices from the root to a part of a document. */
type Path = readonly PropertyKey[];

/** YAML document with the line of each of its parts. */
export interface YamlText {
  readonly document: Document;
  /** Syntax errors. They never quote the text, which contains secrets. */
  readonly problems: readonly LineProblem[];
  /** Finds the part at a path, or the innermost existing one around it, with its line. */
  find(path: Path): { readonly exists: boolean; readonly node: unknown; readonly line: number };
  lineOf(node: unknown): number;
}

/** Parses YAML, and with it JSON. Every scalar stays text, so that a numeric secret keeps its zeros. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const toProblem = ({ code, pos }: YAMLError): LineProblem => ({
    line: lineAt(pos[0]),
    message: `is not valid YAML (${code.toLowerCase().replaceAll('_', ' ')}); does a value need quotes?`,
  });
  const lineOf = (node: unknown) => lineAt((isNode(node) && node.range?.[0]) || 0);
  const aliases: LineProblem[] = [];
  visit(document, {
    Alias: (_key, node) => {
      aliases.push({
        line: lineOf(node),
        message: 'starts with *, which is an alias in YAML; put the value into quotes',
      });
    },
  });
  return {
    document,
    problems: [...[...document.errors, ...document.warnings].map(toProblem), ...aliases],
    lineOf,
    find: (path) => {
      const { rest, ...found } = descend({ node: document.contents, place: document.contents, rest: path });
      return { exists: rest.length === 0, node: found.node, line: lineOf(found.place) };
    },
  };
}

/** Position of a search: a node, the node that has its line (its key, if it has one), and the remaining path. */
interface Position {
  readonly node: unknown;
  readonly place: unknown;
  readonly rest: Path;
}

function descend(position: Position): Position {
  const [step, ...rest] = position.rest;
  const { node } = position;
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
    return pair ? descend({ node: pair.value, place: pair.key, rest }) : position;
  }
  const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? position : descend({ node: item, place: item, rest });
}

/** Reference to a variable, `${NAME}`. */
export const REFERENCE = /\$\{(\w+)\}/g;

/** Value that refers to a variable which is not set. */
export interface OpenReference {
  readonly node: Scalar;
  readonly line: number;
  readonly variable: string;
}

/** Replaces each `${NAME}` in the values of a document by the variable's value. Returns the references to variables that are not set. */
export function resolveReferences({ document, lineOf }: YamlText, env: Environment): OpenReference[] {
  const open: OpenReference[] = [];
  visit(document, {
    Scalar: (key, node) => {
      if (key === 'key' || typeof node.value !== 'string') return;
      node.value = node.value.replaceAll(REFERENCE, (reference, variable: string) => {
        const value = env[variable];
        if (!value) open.push({ node, line: lineOf(node), variable });
        return value || reference;
      });
    },
  });
  return open;
}
