import { isMap, isScalar, isSeq, type Pair, YAMLMap } from 'yaml';
import type { Environment } from '../forms/forms.ts';
import { type FileName, type Places, type Reference, readYamlFile, wordPlace, type YamlFile } from './yaml-file.ts';

/** Files of settings, read as one. */
export interface JoinedFiles {
  /** Their sections. */
  readonly root: YAMLMap;
  readonly places: Places;
  /** Variables that they refer to. */
  readonly named: ReadonlySet<string>;
  /** References to variables that are not set. */
  readonly open: readonly Reference[];
  /** Lines about what cannot be read, or is in two files. */
  readonly problems: readonly string[];
}

/** Reads files of settings: the lists of `warehouses` and the `calendars` are joined, and any other section may be in one of them only. */
export function readJoinedFiles(names: readonly FileName[], env: Environment): JoinedFiles {
  const files = names.map((name) => readYamlFile(name, env));
  const places = new Map(files.flatMap((file) => [...file.places]));
  const root = new YAMLMap();
  const problems = files.flatMap((file) =>
    file.problems.length > 0 ? file.problems : addSections(root, file, places),
  );
  const references = files.flatMap((file) => file.references);
  return {
    root,
    places,
    named: new Set(references.map(({ variable }) => variable)),
    open: references.filter(({ variable }) => !env[variable]),
    problems,
  };
}

function addSections(root: YAMLMap, { path, contents }: YamlFile, places: Places): readonly string[] {
  if (!isMap(contents) || contents.items.length === 0)
    return [`${path}, line 1: must have a section, such as warehouses`];
  return contents.items.flatMap((section) => {
    const [name, above, added] = [String(section.key), root.get(section.key), section.value];
    if (name === 'warehouses' && isSeq(above) && isSeq(added)) {
      above.items.push(...added.items);
      return [];
    }
    return name === 'calendars' && isMap(above) && isMap(added)
      ? added.items.flatMap((calendar) => add(above, calendar, `${name}.`, places))
      : add(root, section, '', places);
  });
}

/** Adds a key to those of other files. Returns a line if one of them has it. */
function add(to: YAMLMap, pair: Pair, within: string, places: Places): readonly string[] {
  const above = to.items.find(({ key }) => String(key) === String(pair.key));
  if (!above) to.items.push(pair);
  const [here, there] = [pair, above].map((it) => wordPlace(places.get(it?.key)));
  return above ? [`${here}: ${within}${pair.key}: repeats that of ${there}`] : [];
}

/** Part of a file, and the node that has its line, which is its key if it has one. */
interface Part {
  readonly exists: boolean;
  readonly node: unknown;
  readonly line: unknown;
}

/** Finds the part at a path, or the innermost existing one around it. */
export function findPart(node: unknown, [step, ...rest]: readonly PropertyKey[], line = node): Part {
  if (step === undefined) return { exists: true, node, line };
  const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
  if (pair) return findPart(pair.value, rest, pair.key);
  const item = isSeq(node) ? node.items[Number(step)] : undefined;
  return item === undefined ? { exists: false, node, line } : findPart(item, rest);
}
