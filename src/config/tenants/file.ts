import { isMap, isSeq } from 'yaml';
import { z } from 'zod';
import { isObject } from '../../domain/json.ts';
import type { Environment } from '../../forms/forms.ts';
import { calendarsForm } from './calendars.ts';
import { findRuleProblems, findUnusedCalendars, UNUSED_CALENDAR } from './deadlines.ts';
import { type ParsedTenant, tenantSchema } from './schema.ts';
import { keyed, section, whenParsed } from './section.ts';
import { type TenantSettings, toTenant } from './tenant.ts';
import type { SharedSettings } from './variables.ts';
import { readYamlFile } from './yaml-file.ts';
import type { YamlText } from './yaml-text.ts';

/**
 * Reads the file of warehouses. A setting that it omits is the shared one. Returns its tenants, or one line of text for each of its errors,
 * which names the line and no value.
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
  const { value, ...rest } = readYamlFile(path, env, {
    variable: 'WAREHOUSES_FILE',
    form: fileSchema,
    prepare: copyDefaults,
    complete: (given) => addShared(given, shared),
    within: withinWarehouse,
  });
  const { warehouses = [], calendars } = value ?? {};
  return { ...rest, tenants: warehouses.map((entry) => toTenant(entry, entry.tenant, calendars)) };
}

/** A line says which warehouse it belongs to. */
const withinWarehouse = (path: readonly PropertyKey[]): readonly PropertyKey[] =>
  path[0] === 'warehouses' && path.length > 1 ? path.slice(2) : path;

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
  calendars: calendarsForm.default(new Map()),
  warehouses: z
    .array(tenantSchema, 'must be a list')
    .min(1, 'must name at least one')
    .superRefine(refuseRepeated, { when: ({ value }) => Array.isArray(value) }),
}).superRefine(({ calendars, warehouses }, { addIssue }) => {
  for (const [at, { deadlines = [], ...sections }] of warehouses.entries())
    for (const [index, key, message] of findRuleProblems(deadlines, calendars, sections))
      addIssue({ code: 'custom', path: ['warehouses', at, 'deadlines', index, key], message });
  const all = warehouses.flatMap(({ deadlines = [] }) => deadlines);
  for (const name of findUnusedCalendars(all, calendars))
    addIssue({ code: 'custom', path: ['calendars', name], message: UNUSED_CALENDAR });
}, whenParsed);

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
