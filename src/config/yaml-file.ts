import {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { isObject } from '../base/json.ts';
import { readTextFile } from '../forms/files.ts';
import type { Environment } from '../forms/forms.ts';

/** Node at a path, or the innermost around it; lines count from 1. */
interface Part {
  readonly exists: boolean;
  readonly node: unknown;
  readonly line: number;
}

export interface YamlFile {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  find(path: readonly PropertyKey[]): Part;
  readonly named: ReadonlySet<string>;
  readonly open: ReadonlyMap<unknown, { readonly variable: string; readonly line: number }>;
  /** Never quote the text, which contains secrets. */
  readonly problems: readonly string[];
}

/** Replaces `${NAME}` by variables. Every scalar stays text, so that a numeric secret keeps its zeros. */
export function readYamlFile(path: string, env: Environment): YamlFile {
  const named = new Set<string>();
  const open = new Map<unknown, { readonly variable: string; readonly line: number }>();
  const empty = { path, value: {}, named, open, find: () => ({ exists: false, node: undefined, line: 1 }) };
  if (path === '') return { ...empty, problems: [] };
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    // The system's message repeats the call and the path.
    const reason = (error as Error).message.replace(/, \w+( '.*')?$/s, '');
    return { ...empty, problems: [`CONFIG_FILE: ${path} cannot be read: ${reason}`] };
  }
  const lines = new LineCounter();
  const { contents, errors, warnings } = parseDocument(text, {
    schema: 'failsafe',
    lineCounter: lines,
    prettyErrors: false,
  });
  const lineAt = (offset = 0) => Math.max(1, lines.linePos(offset).line);
  const aliases: number[] = [];
  visit(contents, (key, node) => {
    if (isAlias(node)) aliases.push(lineAt(node.range?.[0]));
    if (key === 'key' || !isScalar(node) || typeof node.value !== 'string') return;
    node.value = node.value.replaceAll(/\$\{(\w+)\}/g, (reference, variable: string) => {
      named.add(variable);
      if (!env[variable]) open.set(node, { variable, line: lineAt(node.range?.[0]) });
      return env[variable] || reference;
    });
  });
  // An error causes others on its line.
  const wrong = Map.groupBy([...errors, ...warnings], ({ pos: [offset] }) => lineAt(offset));
  const problems = [
    ...[...wrong].map(([line, all]) => `${path}, line ${line}: ${wordErrors(all)}`),
    ...aliases.map(
      (line) => `${path}, line ${line}: starts with *, which is an alias in YAML; put the value into quotes`,
    ),
  ];
  if (problems.length > 0) return { ...empty, problems };
  const value = isMap(contents) ? contents.toJS(new Document()) : undefined;
  if (!isObject(value) || Object.keys(value).length === 0)
    return { ...empty, problems: [`${path}, line 1: must have a section, such as warehouses`] };
  const find = (steps: readonly PropertyKey[], node: unknown = contents, near: unknown = contents): Part => {
    const [step, ...rest] = steps;
    const line = lineAt(isNode(near) ? near.range?.[0] : 0);
    if (step === undefined) return { exists: true, node, line };
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    if (pair) return find(rest, pair.value, pair.key);
    const item = isSeq(node) ? node.items[Number(step)] : undefined;
    return item === undefined ? { exists: false, node, line } : find(rest, item, item);
  };
  return { path, value, find, named, open, problems };
}

function wordErrors(errors: readonly YAMLError[]): string {
  const words = new Set(errors.map(({ code }) => code.toLowerCase().replaceAll('_', ' ')));
  return `is not valid YAML (${[...words].join(', ')}); is it indented as the lines above, or does a value need quotes?`;
}
