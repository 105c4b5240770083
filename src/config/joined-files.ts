import { Document, isMap, isScalar, isSeq, type Pair, YAMLMap } from 'yaml';
import type { Environment } from '../forms/forms.ts';
import { type FileName, type Place, type Reference, readYamlFile, wordPlace, type YamlFile } from './yaml-file.ts';

/** Files of settings, read as one. */
export interface JoinedFiles {
  /** Their sections. */
  readonly root: YAMLMap;
  /** Variables that they refer to. */
  readonly named: ReadonlySet<string>;
  /** References to variables that are not set. */
  readonly open: readonly Reference[];
  /** Lines about what cannot be read, or is in two files. */
  readonly problems: readonly string[];
  placeOf(node: unknown): Place;
  /** Orders places by files and lines. */
  compare(a: Place, b: Place): number;
}

/** Reads files of settings: the lists of `warehouses` and the `calendars` are joined, and any other section may be in one of them only. */
export function readJoinedFiles(names: readonly FileName[], env: Environment): JoinedFiles {
  const files = names.map((name) => readYamlFile(name, env));
  const places = new Map(files.flatMap((file) => [...file.places]));
  const placeOf = (node: unknown): Place => places.get(node) ?? { path: '', line: 0 };
  const root = new YAMLMap();
  const problems = files.flatMap((file) =>
    file.problems.length > 0 ? file.problems : addSections(root, file, placeOf),
  );
  const references = files.flatMap((file) => file.references);
  const rank = ({ path }: Place): number => names.findIndex((name) => name.path === path);
  return {
    root,
    named: new Set(references.map(({ variable }) => variable)),
    open: references.filter(({ variable }) => !env[variable]),
    problems,
    placeOf,
    compare: (a, b) => rank(a) - rank(b) || a.line - b.line,
  };
}

function addSections(root: YAMLMap, { path, contents }: YamlFile, placeOf: JoinedFiles['placeOf']): readonly string[] {
  if (!isMap(contents) || contents.items.length === 0)
    return [`${path}, line 1: must have a section, such as warehouses`];
  return contents.items.flatMap((section) => {
    const [name, above, added] = [String(section.key), root.get(section.key), section.value];
    if (name === 'warehouses' && isSeq(above) && isSeq(added)) {
      above.items.push(...added.items);
      return [];
    }
    return name === 'calendars' && isMap(above) && isMap(added)
      ? added.items.flatMap((calendar) => add(above, calendar, `${name}.`, placeOf))
      : add(root, section, '', placeOf);
  });
}

/** Adds a key to those of other files. Returns a line if one of them has it. */
function add(to: YAMLMap, pair: Pair, within: string, placeOf: JoinedFiles['placeOf']): readonly string[] {
  const above = to.items.find(({ key }) => String(key) === String(pair.key));
  if (!above) to.items.push(pair);
  const [here, there] = [pair, above ?? pair].map(({ key }) => wordPlace(placeOf(key)));
  return above ? [`${here}: ${within}${pair.key}: repeats that of ${there}`] : [];
}

/** Returns the settings as plain values. */
export const toValue = ({ root }: JoinedFiles): unknown => root.toJS(new Document());

/** Finds the part at a path, or the innermost existing one around it: its node, and the node that has its line, which is its key if it has one. */
export function findPart(
  { root }: JoinedFiles,
  path: readonly PropertyKey[],
): Omit<Position, 'rest'> & { readonly exists: boolean } {
  const { rest, ...found } = descend({ node: root, line: root, rest: path });
  return { exists: rest.length === 0, ...found };
}

interface Position {
  readonly node: unknown;
  readonly line: unknown;
  readonly rest: readonly PropertyKey[];
}

function descend(position: Position): Position {
  const [step, ...rest] = position.rest;
  const { node } = position;
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
    return pair ? descend({ node: pair.value, line: pair.key, rest }) : position;
  }
  const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? position : descend({ node: item, line: item, rest });
}
