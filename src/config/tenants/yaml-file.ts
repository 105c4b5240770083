import type { z } from 'zod';
import type { Environment } from '../../forms/forms.ts';
import { readTextFile } from '../../forms/text-file.ts';
import { formatIssue } from '../word-issue.ts';
import {
  type LineProblem,
  type OpenReference,
  REFERENCE,
  readYaml,
  resolveReferences,
  type YamlText,
} from './yaml-text.ts';

/** File of settings: YAML with `${NAME}` for variables. */
interface FileForm<T> {
  /** Variable that names the file. */
  readonly variable: string;
  readonly form: z.ZodType<T>;
  /** Completes the document before it is parsed. */
  readonly prepare?: (yaml: YamlText) => void;
  /** Adds settings that the file omits. */
  readonly complete?: (given: unknown) => unknown;
  /** Returns the part of the path of a problem that the line does not say already. Default: all of it. */
  readonly within?: (path: readonly PropertyKey[]) => readonly PropertyKey[];
}

/** Content of a file; undefined if there are problems. Each problem is one line of text that names its line and no value. */
interface FileContent<T> {
  readonly value: T | undefined;
  /** Variables that it names. */
  readonly named: ReadonlySet<string>;
  readonly problems: readonly string[];
}

/** Reads a file of settings. */
export function readYamlFile<T>(path: string, env: Environment, file: FileForm<T>): FileContent<T> {
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    // Without the call and the path, which the message of the system repeats.
    const reason = (error as Error).message.replace(/, \w+( '.*')?$/s, '');
    return { value: undefined, named: new Set(), problems: [`${file.variable}: ${path} cannot be read: ${reason}`] };
  }
  const named = new Set([...text.matchAll(REFERENCE)].map(([, name = '']) => name));
  const read = parseFile(text, env, file);
  if (!('problems' in read)) return { ...read, named, problems: [] };
  const sorted = read.problems.toSorted((a, b) => a.line - b.line);
  const lines = new Set(sorted.map(({ line, message }) => `${path}, line ${line}: ${message}`));
  return { value: undefined, named, problems: [...lines] };
}

function parseFile<T>(
  text: string,
  env: Environment,
  { form, prepare, complete = (given) => given, within = (path) => path }: FileForm<T>,
): { readonly value: T } | { readonly problems: readonly LineProblem[] } {
  const yaml = readYaml(text);
  if (yaml.problems.length > 0) return yaml;
  const open = resolveReferences(yaml, env);
  prepare?.(yaml);
  const parsed = form.safeParse(complete(yaml.document.toJS()), { error: formatIssue });
  if (parsed.success && open.length === 0) return { value: parsed.data };
  const issues = (parsed.error?.issues ?? []).flatMap((issue) => toProblem(issue, yaml, open, within) ?? []);
  const unset = open.map(({ line, variable }) => ({ line, message: `the variable ${variable} is not set` }));
  return { problems: [...unset, ...issues] };
}

function toProblem(
  issue: z.core.$ZodIssue,
  yaml: YamlText,
  open: readonly OpenReference[],
  within: NonNullable<FileForm<unknown>['within']>,
): LineProblem | undefined {
  const { exists, node, line } = yaml.find(issue.path);
  // The reference to a variable that is not set has been reported.
  if (exists && open.some((reference) => reference.node === node)) return undefined;
  const message = exists || issue.code === 'custom' ? issue.message : 'is missing';
  const name = within(issue.path).join('.');
  return { line, message: name ? `${name}: ${message}` : message };
}
