import { isAlias, isNode, isScalar, LineCounter, parseDocument, type Scalar, visit, type YAMLError } from 'yaml';
import type { Environment } from '../forms/forms.ts';
import { readTextFile } from '../forms/text-file.ts';

/** File of settings, and the variable that names it. */
export interface FileName {
  readonly path: string;
  readonly variable: string;
}

/** Place in a file, whose lines are counted from 1. */
interface Place {
  readonly path: string;
  readonly line: number;
}

/** Place of each node, in their order. */
export type Places = ReadonlyMap<unknown, Place>;

export const wordPlace = (place: Place | undefined): string => `${place?.path}, line ${place?.line}`;

/** Reference of a value to a variable, `${NAME}`. */
export interface Reference {
  readonly node: Scalar;
  readonly variable: string;
}

/** Text of a file of settings, parsed. */
export interface YamlFile {
  readonly path: string;
  /** Its outermost node; null if it is empty. */
  readonly contents: unknown;
  readonly places: Places;
  readonly references: readonly Reference[];
  /** Lines about what cannot be read. They never quote the text, which contains secrets. */
  readonly problems: readonly string[];
}

/**
 * Reads a file of YAML, and with it JSON, with the values of the variables that it refers to. Every scalar stays text, so that a numeric
 * secret keeps its zeros.
 */
export function readYamlFile({ path, variable }: FileName, env: Environment): YamlFile {
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    // Without the call and the path, which the message of the system repeats.
    const reason = (error as Error).message.replace(/, \w+( '.*')?$/s, '');
    const problems = [`${variable}: ${path} cannot be read: ${reason}`];
    return { path, contents: null, places: new Map(), references: [], problems };
  }
  const lines = new LineCounter();
  const { contents, errors, warnings } = parseDocument(text, {
    schema: 'failsafe',
    lineCounter: lines,
    prettyErrors: false,
  });
  const placeAt = (offset = 0): Place => ({ path, line: Math.max(1, lines.linePos(offset).line) });
  const places = new Map<unknown, Place>();
  const references: Reference[] = [];
  visit(contents, (key, node) => {
    if (!isNode(node)) return;
    places.set(node, placeAt(node.range?.[0]));
    if (key !== 'key' && isScalar(node)) references.push(...resolveReferences(node, env));
  });
  const aliases = [...places].flatMap(([node, place]) => (isAlias(node) ? [place] : []));
  // An error brings others on its line.
  const codes = Map.groupBy([...errors, ...warnings], ({ pos: [offset] }) => wordPlace(placeAt(offset)));
  const problems = [
    ...[...codes].map(([place, all]) => `${place}: ${wordErrors(all)}`),
    ...aliases.map(
      (place) => `${wordPlace(place)}: starts with *, which is an alias in YAML; put the value into quotes`,
    ),
  ];
  return { path, contents, places, references, problems };
}

function wordErrors(errors: readonly YAMLError[]): string {
  const words = new Set(errors.map(({ code }) => code.toLowerCase().replaceAll('_', ' ')));
  return `is not valid YAML (${[...words].join(', ')}); is it indented as the lines above, or does a value need quotes?`;
}

/** Replaces each reference in a value by the variable's value, if that is set. Returns the references. */
function resolveReferences(node: Scalar, env: Environment): readonly Reference[] {
  if (typeof node.value !== 'string') return [];
  const references: Reference[] = [];
  node.value = node.value.replaceAll(/\$\{(\w+)\}/g, (reference, variable: string) => {
    references.push({ node, variable });
    return env[variable] || reference;
  });
  return references;
}
