import { Document, isMap, isSeq, type Pair, type YAMLMap } from 'yaml';
import { z } from 'zod';
import { type AlertSettings, alertsForm } from '../alerts/settings.ts';
import { isObject } from '../base/json.ts';
import type { DeadlineRule } from '../domain/deadlines/rule.ts';
import { withKeys } from '../forms/keys.ts';
import { keyed, section } from '../forms/section.ts';
import { formatIssue } from '../forms/word-issue.ts';
import { calendarsForm } from '../subjects/calendar-settings.ts';
import {
  deadlinesForm,
  findRuleProblems,
  findUnusedCalendars,
  type Sections,
  toRules,
  UNUSED_CALENDAR,
} from '../subjects/deadline-settings.ts';
import { accessForms } from '../warehouse/settings.ts';
import { findPart, type JoinedFiles } from './joined-files.ts';
import { type ParsedTenant, sharedForms, tenantSchema } from './tenants/schema.ts';
import { type TenantSettings, toTenant } from './tenants/tenant.ts';
import { fileDefaults, type SharedSettings } from './tenants/variables.ts';
import type { Variables } from './variables.ts';
import { wordPlace } from './yaml-file.ts';

const { tenant: _tenant, tpl: _tpl, ...ofEvery } = accessForms;

/** Form of each section of the file of settings, once the settings that its warehouses share are copied into each of them. */
const sections = {
  defaults: withKeys(
    keyed.describe('Settings of every warehouse that does not say otherwise.'),
    z.object({ ...ofEvery, ...sharedForms }).partial(),
  ).optional(),
  calendars: calendarsForm.default(new Map()).describe('Calendars of the deadlines, by name.'),
  warehouses: z
    .array(withKeys(tenantSchema, z.object({ ...accessForms, ...sharedForms }).partial()), 'must be a list')
    .min(1, 'must name at least one')
    .superRefine(refuseRepeated, { when: ({ value }) => Array.isArray(value) })
    .optional()
    .describe('The warehouses.'),
  deadlines: deadlinesForm
    .optional()
    .describe('Rules that say when a subject of the only warehouse is due, or of each that has none of its own.'),
  alerts: alertsForm.optional().describe('Who is notified of problems.'),
};

/** Form of the file of settings. */
export const fileForm = section(sections);

/** Refuses two warehouses with the same tenant or the same grant, which would mix the data of different tenants. */
function refuseRepeated(entries: readonly Partial<ParsedTenant>[], { addIssue }: z.core.$RefinementCtx<unknown>): void {
  const tenants = entries.map((entry) => entry?.tenant);
  const grants = entries.map(
    (entry) => entry?.clientId && [entry.baseUrl, entry.clientId, entry.tpl?.toLowerCase()].join('\n'),
  );
  for (const index of entries.keys()) {
    const refuse = (key: string) =>
      addIssue({ code: 'custom', path: [index, key], message: 'repeats that of an earlier warehouse' });
    if (isRepeated(tenants, index)) refuse('tenant');
    if (isRepeated(grants, index)) refuse(entries[index]?.tpl ? 'tpl' : 'clientId');
  }
}

const isRepeated = (values: readonly (string | undefined)[], index: number): boolean =>
  Boolean(values[index]) && values.indexOf(values[index]) < index;

/** Sections and keys of a warehouse that are compared; undefined is a warehouse as a whole. */
const compared: readonly unknown[] = ['calendars', 'deadlines', 'orderDetail', 'receiptDetail', undefined];

/** Condition of the checks of sections beside each other, whatever is wrong with others. */
const whenDue = {
  when: ({ issues }: { readonly issues: readonly { readonly path?: PropertyKey[] | undefined }[] }) =>
    !issues.some(({ path: [section, , key] = [] }) => compared.includes(section === 'warehouses' ? key : section)),
};

/** Creates the form with the checks of sections beside each other. `detail` is that of a warehouse which no file describes. */
const checkedForm = (detail: Sections) =>
  fileForm.superRefine(({ defaults, calendars, warehouses, deadlines = [] }, { addIssue }) => {
    const refuse = (path: readonly PropertyKey[], message: string) =>
      addIssue({ code: 'custom', path: [...path], message });
    const check = (path: readonly PropertyKey[], rules: typeof deadlines, of: Sections) => {
      for (const [index, key, message] of findRuleProblems(rules, calendars, of))
        refuse([...path, index, key], message);
    };
    if (!warehouses) check(['deadlines'], deadlines, detail);
    for (const [at, { deadlines: own = [], ...of }] of warehouses?.entries() ?? [])
      check(['warehouses', at, 'deadlines'], own, of);
    const all = [...deadlines, ...(warehouses ?? []).flatMap(({ deadlines: own = [] }) => own)];
    for (const name of findUnusedCalendars(all, calendars)) refuse(['calendars', name], UNUSED_CALENDAR);
    if (defaults && !warehouses) refuse(['defaults'], 'is used by no warehouse');
    if (defaults?.deadlines && deadlines.length > 0)
      refuse(['deadlines'], 'must not be beside the deadlines of defaults');
  }, whenDue);

/** Settings of files, or one line of text for each of their errors, which names the file and the line and no value. */
interface FileSettings {
  readonly tenants: readonly TenantSettings[];
  /** Rules of a warehouse that no file describes; undefined if there are none. */
  readonly deadlines: readonly DeadlineRule[] | undefined;
  readonly alerts: AlertSettings | undefined;
  readonly problems: readonly string[];
  /** Sentences about what has no effect. */
  readonly notices: readonly string[];
}

/** Parses files of settings. A setting that a warehouse omits is that of the variables. */
export function parseFiles(files: JoinedFiles, variables: Variables): FileSettings {
  const notices = copyShared(files.root).map(
    ({ key }) => `${wordPlace(files.places.get(key))}: ${key} has no effect, since every warehouse has its own.`,
  );
  const { WAREHOUSE_ORDER_DETAIL: orderDetail, WAREHOUSE_RECEIPT_DETAIL: receiptDetail } = variables;
  const given = addShared(files.root.toJS(new Document()), fileDefaults(variables));
  const { data, error } = checkedForm({ orderDetail, receiptDetail }).safeParse(given, { error: formatIssue });
  const problems = wordProblems(files, error?.issues ?? []);
  if (!data || problems.length > 0) return { tenants: [], deadlines: undefined, alerts: undefined, problems, notices };
  const { warehouses = [], calendars, deadlines, alerts } = data;
  return {
    tenants: warehouses.map((entry) => toTenant(entry, entry.tenant, calendars)),
    deadlines: deadlines && toRules(deadlines, calendars),
    alerts,
    problems,
    notices,
  };
}

/**
 * Copies nodes into each warehouse that has none of their keys, so that an error in one is reported with its own line. Returns those that
 * every warehouse has itself.
 */
function copyShared(root: YAMLMap): readonly Pair[] {
  const [defaults, warehouses] = [root.get('defaults'), root.get('warehouses')];
  const shared = [
    ...(isMap(defaults) ? defaults.items : []),
    ...root.items.filter(({ key }) => String(key) === 'deadlines'),
  ];
  const entries = isSeq(warehouses) ? warehouses.items.filter((entry) => isMap(entry)) : [];
  return shared.filter((pair) => {
    const lacking = entries.filter((entry) => !entry.has(pair.key));
    for (const entry of lacking) entry.items.push(pair);
    return entries.length > 0 && lacking.length === 0;
  });
}

/** Adds the settings that a warehouse omits. */
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

/** Words each problem with its line, in the order of files and lines. */
function wordProblems({ root, places, open }: JoinedFiles, issues: readonly z.core.$ZodIssue[]): readonly string[] {
  const problems = [
    ...open.map(({ node, variable }) => ({ line: node, message: `the variable ${variable} is not set` })),
    ...issues.flatMap(({ path, code, message }) => {
      const { exists, node, line } = findPart(root, path);
      // The reference to a variable that is not set has been reported.
      if (exists && open.some((reference) => reference.node === node)) return [];
      // The line says which warehouse it belongs to.
      const key = (path[0] === 'warehouses' && path.length > 1 ? path.slice(2) : path).join('.');
      const said = exists || code === 'custom' ? message : 'is missing';
      return [{ line, message: key ? `${key}: ${said}` : said }];
    }),
  ];
  const nodes = [...places.keys()];
  const sorted = problems.toSorted((a, b) => nodes.indexOf(a.line) - nodes.indexOf(b.line));
  return [...new Set(sorted.map(({ line, message }) => `${wordPlace(places.get(line))}: ${message}`))];
}
