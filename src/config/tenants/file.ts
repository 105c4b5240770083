import { readFileSync } from 'node:fs';
import { isMap, isSeq } from 'yaml';
import type { z } from 'zod';
import { type FileEntry, fileSchema, verificationOf } from './file-schema.ts';
import { type OpenReference, resolveReferences } from './references.ts';
import type { TenantDefaults, TenantSettings } from './tenant.ts';
import { type Problem, readYaml, type YamlText } from './yaml-text.ts';

/** The tenants of a file, or what is wrong with it: one line of text for each problem, with its line and without a value. */
export interface TenantsFile {
  readonly tenants: readonly TenantSettings[];
  readonly problems: readonly string[];
}

/** Reads the file of warehouses: YAML with `${NAME}` for variables. What it leaves out is as the defaults say. */
export function readTenantsFile(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  defaults: TenantDefaults,
): TenantsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { tenants: [], problems: [`WAREHOUSES_FILE: ${path} cannot be read: ${(error as Error).message}`] };
  }
  const read = parseTenants(text, env, defaults);
  if (!('problems' in read)) return { tenants: read, problems: [] };
  const sorted = read.problems.toSorted((a, b) => a.line - b.line);
  const lines = new Set(sorted.map(({ line, message }) => `${path}, line ${line}: ${message}`));
  return { tenants: [], problems: [...lines] };
}

function parseTenants(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  defaults: TenantDefaults,
): TenantSettings[] | { readonly problems: readonly Problem[] } {
  const yaml = readYaml(text);
  if (yaml.problems.length > 0) return yaml;
  const open = resolveReferences(yaml, env);
  copyDefaults(yaml);
  const parsed = fileSchema(defaults.verification).safeParse(yaml.document.toJS());
  if (parsed.success && open.length === 0) return parsed.data.warehouses.map((entry) => toTenant(entry, defaults));
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

function toTenant(entry: FileEntry, { detail, ...defaults }: TenantDefaults): TenantSettings {
  const { tenant, baseUrl, authUrl, clientId, clientSecret, userLogin, tpl } = entry;
  return {
    id: tenant,
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
