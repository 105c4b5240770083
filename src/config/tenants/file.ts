import { readFileSync } from 'node:fs';
import { isMap, isSeq } from 'yaml';
import { z } from 'zod';
import { isObject } from '../../domain/json.ts';
import type { Environment } from '../forms.ts';
import { wordIssue } from '../word-issue.ts';
import { type ParsedTenant, tenantSchema, toTenant } from './schema.ts';
import { keyed, section } from './section.ts';
import type { TenantSettings } from './tenant.ts';
import type { SharedSettings } from './variables.ts';
import {
  type LineProblem,
  type OpenReference,
  REFERENCE,
  readYaml,
  resolveReferences,
  type YamlText,
} from './yaml-text.ts';

/**
 * Reads the file of warehouses: YAML with `${NAME}` for variables. A setting that it omits is the shared one. Returns its tenants, or one
 * line of text for each of its errors, which names the line and no value.
 */
export function readTenantsFile(
  path: string,
  env: Environment,
  shared: SharedSettings,
): {
  readonly tenants: readonly TenantSettings[];
  /** Variables that it names. */
  readonly named: ReadonlySet<string>;
  readonly problems: readonly string[];
} {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // Without the call and the path, which the message of the system repeats.
    const reason = (error as Error).message.replace(/, \w+( '.*')?$/s, '');
    return { tenants: [], named: new Set(), problems: [`WAREHOUSES_FILE: ${path} cannot be read: ${reason}`] };
  }
  const named = new Set([...text.matchAll(REFERENCE)].map(([, name = '']) => name));
  const read = parseTenants(text, env, shared);
  if (!('problems' in read)) return { tenants: read, named, problems: [] };
  const sorted = read.problems.toSorted((a, b) => a.line - b.line);
  const lines = new Set(sorted.map(({ line, message }) => `${path}, line ${line}: ${message}`));
  return { tenants: [], named, problems: [...lines] };
}

function parseTenants(
  text: string,
  env: Environment,
  shared: SharedSettings,
): TenantSettings[] | { readonly problems: readonly LineProblem[] } {
  const yaml = readYaml(text);
  if (yaml.problems.length > 0) return yaml;
  const open = resolveReferences(yaml, env);
  copyDefaults(yaml);
  const parsed = fileSchema.safeParse(addShared(yaml.document.toJS(), shared), { error: wordIssue });
  if (parsed.success && open.length === 0) return parsed.data.warehouses.map((entry) => toTenant(entry, entry.tenant));
  const issues = (parsed.error?.issues ?? []).flatMap((issue) => toProblem(issue, yaml, open) ?? []);
  const unset = open.map(({ line, variable }) => ({ line, message: `the variable ${variable} is not set` }));
  return { problems: [...unset, ...issues] };
}

/** Copies the nodes themselves, so that an error in one is reported with its own line. */
function copyDefaults({ document }: YamlText): void {
  const [defaults, warehouses] = isMap(document.contents) ? [document.get('defaults'), document.get('warehouses')] : [];
  if (!isMap(defaults) || !isSeq(warehouses)) return;
  for (const entry of warehouses.items)
    if (isMap(entry)) entry.items.push(...defaults.items.filter(({ key }) => !entry.has(key)));
}

function addShared(file: unknown, shared: SharedSettings): unknown {
  if (!isObject(file) || !Array.isArray(file.warehouses)) return file;
  const add = (entry: unknown) => {
    if (!isObject(entry)) return entry;
    const merged = mergedKeys.map((key) => [key, merge(shared[key], entry[key])]);
    return { ...shared, ...entry, ...Object.fromEntries(merged) };
  };
  return { ...file, warehouses: file.warehouses.map(add) };
}

/** Sections of which a warehouse may give a part. */
const mergedKeys = ['webhook', 'paths', 'properties'];

const merge = (shared: unknown = {}, own: unknown = {}): unknown =>
  isObject(shared) && isObject(own) ? { ...shared, ...own } : own;

/** Schema of a file, once `defaults` is copied into each warehouse. It reports every error. */
const fileSchema = section({
  defaults: keyed.optional(),
  warehouses: z
    .array(tenantSchema, 'must be a list')
    .min(1, 'must name at least one')
    .superRefine(refuseRepeated, { when: ({ value }) => Array.isArray(value) }),
});

/** Refuses two warehouses with the same tenant or the same grant, which would mix the data of different tenants. */
function refuseRepeated(entries: readonly Partial<ParsedTenant>[], { addIssue }: z.core.$RefinementCtx<unknown>): void {
  const tenants = entries.map((entry) => entry?.tenant);
  const grants = entries.map(
    (entry) => entry?.clientId && [entry.baseUrl, entry.clientId, entry.tpl?.toLowerCase()].join('\n'),
  );
  for (const index of entries.keys()) {
    const refuse = (key: string) =>
      addIssue({ code: 'custom', path: [index, key], message: 'repeats that of a warehouse above' });
    if (isRepeated(tenants, index)) refuse('tenant');
    if (isRepeated(grants, index)) refuse(entries[index]?.tpl ? 'tpl' : 'clientId');
  }
}

const isRepeated = (values: readonly (string | undefined)[], index: number): boolean =>
  Boolean(values[index]) && values.indexOf(values[index]) < index;

function toProblem(issue: z.core.$ZodIssue, yaml: YamlText, open: readonly OpenReference[]): LineProblem | undefined {
  const { exists, node, line } = yaml.find(issue.path);
  // The reference to a variable that is not set has been reported.
  if (exists && open.some((reference) => reference.node === node)) return undefined;
  const message = exists || issue.code === 'custom' ? issue.message : 'is missing';
  const [first, , ...below] = issue.path;
  const name = (first === 'warehouses' && issue.path.length > 1 ? below : issue.path).join('.');
  return { line, message: name ? `${name}: ${message}` : message };
}
