import { readFileSync } from 'node:fs';
import { isMap, isSeq } from 'yaml';
import type { z } from 'zod';
import { type FileEntry, fileSchema, verificationOf } from './file-schema.ts';
import { type OpenReference, resolveReferences } from './references.ts';
import type { OperatorDefaults, OperatorSettings } from './tenant.ts';
import { type Problem, readYaml, type YamlText } from './yaml-text.ts';

/** The operators of a file, or what is wrong with it: one line of text for each problem, with its line and without a value. */
export interface OperatorsFile {
  readonly operators: readonly OperatorSettings[];
  readonly problems: readonly string[];
}

/** Reads the file of warehouses: YAML with `${NAME}` for variables. What it leaves out is as the defaults say. */
export function readOperatorsFile(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  defaults: OperatorDefaults,
): OperatorsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { operators: [], problems: [`WAREHOUSES_FILE: ${path} cannot be read: ${(error as Error).message}`] };
  }
  const read = parseOperators(text, env, defaults);
  if (!('problems' in read)) return { operators: read, problems: [] };
  const sorted = read.problems.toSorted((a, b) => a.line - b.line);
  const lines = new Set(sorted.map(({ line, message }) => `${path}, line ${line}: ${message}`));
  return { operators: [], problems: [...lines] };
}

function parseOperators(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  defaults: OperatorDefaults,
): OperatorSettings[] | { readonly problems: readonly Problem[] } {
  const yaml = readYaml(text);
  if (yaml.problems.length > 0) return yaml;
  const open = resolveReferences(yaml, env);
  copyDefaults(yaml);
  const parsed = fileSchema(defaults.verification).safeParse(yaml.document.toJS());
  if (parsed.success && open.length === 0) return parsed.data.warehouses.map((entry) => toOperator(entry, defaults));
  const issues = (parsed.error?.issues ?? []).flatMap((issue) => toProblem(issue, yaml, open) ?? []);
  return { problems: [...open.map(describeOpen), ...issues] };
}

/** The very nodes, so that a problem of one is told with its own line. */
function copyDefaults({ document }: YamlText): void {
  const [defaults, warehouses] = isMap(document.contents) ? [document.get('defaults'), document.get('warehouses')] : [];
  if (!isMap(defaults) || !isSeq(warehouses)) return;
  for (const entry of warehouses.items)
    if (isMap(entry)) entry.items.push(...defaults.items.filter(({ key }) => !entry.has(key)));
}

function toProblem(issue: z.core.$ZodIssue, yaml: YamlText, open: readonly OpenReference[]): Problem | undefined {
  const { isThere, node, line } = yaml.find(issue.path);
  // That its variable is not set has been said.
  if (isThere && open.some((reference) => reference.node === node)) return undefined;
  const message = isThere || issue.code === 'custom' ? issue.message : 'is missing';
  const [first, , ...below] = issue.path;
  const name = (first === 'warehouses' && issue.path.length > 1 ? below : issue.path).join('.');
  return { line, message: name ? `${name}: ${message}` : message };
}

const describeOpen = ({ line, variable }: OpenReference): Problem => ({
  line,
  message: `the variable ${variable} is not set`,
});

function toOperator(entry: FileEntry, { detail, ...defaults }: OperatorDefaults): OperatorSettings {
  const { tenant, baseUrl, authUrl, clientId, clientSecret, userLogin, tpl } = entry;
  return {
    tenant,
    endpoint: tenant,
    access: { baseUrl, authUrl, clientId, clientSecret, userLogin, tpl },
    detail: {
      orderDetail: entry.orderDetail ?? detail.orderDetail,
      itemDetail: entry.itemDetail ?? detail.itemDetail,
      receiptDetail: entry.receiptDetail ?? detail.receiptDetail,
    },
    callsPerSecond: entry.callsPerSecond ?? defaults.callsPerSecond,
    verification: verificationOf(entry.webhook, defaults.verification),
    destination: entry.announce ?? defaults.destination,
  };
}
