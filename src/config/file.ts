import { z } from 'zod';
import { alertsForm } from '../alerts/settings.ts';
import { formatIssue } from '../base/issue.ts';
import { isObject } from '../base/json.ts';
import { type Environment, repeatsIn } from '../forms/forms.ts';
import { section } from '../forms/section.ts';
import { calendarsForm } from '../subjects/calendar-settings.ts';
import { deadlinesForm, findRuleProblems, findUnusedCalendars } from '../subjects/deadline-settings.ts';
import { fromVariables, wordVariable } from './tenants/shorthand.ts';
import { type ParsedTenant, tenantForm } from './tenants/tenant.ts';
import type { YamlFile } from './yaml-file.ts';

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** After what warehouses share was copied into each of them. */
export const sections = {
  defaults: z
    .looseObject({}, 'must be keys with values')
    .optional()
    .describe('Settings of every warehouse that does not say otherwise.'),
  calendars: calendarsForm.default(new Map()).describe('Calendars of the deadlines, by name.'),
  warehouses: z
    .array(tenantForm, 'must be a list')
    .min(1, 'must name at least one')
    .superRefine(compareWarehouses, { when: ({ value }) => Array.isArray(value) })
    .describe('The warehouses.'),
  deadlines: deadlinesForm
    .optional()
    .describe('Rules that say when a subject is due, of each warehouse that has none of its own.'),
  alerts: alertsForm.optional().describe('Who is notified of problems.'),
};

/** Two with the same tenant or grant would mix data. */
function compareWarehouses(entries: readonly Partial<ParsedTenant>[], { addIssue }: z.core.$RefinementCtx<unknown>) {
  const refuse = (index: number, key: string) =>
    addIssue({ code: 'custom', path: [index, key], message: 'repeats that of an earlier warehouse' });
  const tenants = entries.map((entry) => entry?.tenant);
  const grants = entries.map(
    (entry) => entry?.clientId && [entry.baseUrl, entry.clientId, entry.tpl?.toLowerCase()].join('\n'),
  );
  for (const index of repeatsIn(tenants)) refuse(index, 'tenant');
  for (const index of repeatsIn(grants)) refuse(index, entries[index]?.tpl ? 'tpl' : 'clientId');
}

/** Undefined stands for a warehouse as a whole. */
const compared: readonly unknown[] = ['calendars', 'deadlines', 'orderDetail', 'receiptDetail', undefined];

/** Sections are compared whatever is wrong with others. */
const settingsForm = section(sections).superRefine(
  ({ calendars, warehouses }, { addIssue }) => {
    for (const [at, { deadlines = [], ...of }] of warehouses.entries())
      for (const [index, key, message] of findRuleProblems(deadlines, calendars, of))
        addIssue({ code: 'custom', path: ['warehouses', at, 'deadlines', index, key], message });
    const used = warehouses.flatMap(({ deadlines = [] }) => deadlines);
    for (const name of findUnusedCalendars(used, calendars))
      addIssue({ code: 'custom', path: ['calendars', name], message: 'is used by no deadline' });
  },
  {
    when: ({ issues }) =>
      !issues.some(({ path: [name, , key] = [] }) => compared.includes(name === 'warehouses' ? key : name)),
  },
);

/** The warehouse of the variables counts if the file has none. */
export function parseSettings(file: YamlFile, given: Environment) {
  const { warehouses: inFile, defaults, deadlines } = file.value;
  const isOfFile = inFile !== undefined;
  const shared = { ...(deadlines !== undefined && { deadlines }), ...(isOfFile && isObject(defaults) && defaults) };
  const warehouses = isOfFile ? inFile : [fromVariables(given)];
  const addShared = (entry: unknown) => (isObject(entry) ? { ...shared, ...entry } : entry);
  const { data, error } = settingsForm.safeParse(
    { ...file.value, warehouses: Array.isArray(warehouses) ? warehouses.map(addShared) : warehouses },
    { error: formatIssue },
  );
  const issues = [
    ...(error?.issues ?? []),
    ...(defaults && !isOfFile ? [{ path: ['defaults'], message: 'is used by no warehouse' }] : []),
    ...(isObject(defaults) && defaults.deadlines && deadlines
      ? [{ path: ['deadlines'], message: 'must not be beside the deadlines of defaults' }]
      : []),
  ];
  const wordProblems = (also: readonly Issue[]) => wordIssues([...issues, ...also], file, isOfFile);
  return { data, isOfFile, wordProblems };
}

export function findUnshared({ path, value: { defaults, deadlines, warehouses }, find }: YamlFile): readonly string[] {
  if (!Array.isArray(warehouses)) return [];
  const places = [
    ...Object.keys(Object(defaults)).map((key) => ['defaults', key]),
    ...(deadlines === undefined ? [] : [['deadlines']]),
  ];
  return places
    .filter((place) => warehouses.every((entry) => isObject(entry) && entry[place.at(-1) ?? ''] !== undefined))
    .map(
      (place) => `${path}, line ${find(place).line}: ${place.at(-1)} has no effect, since every warehouse has its own.`,
    );
}

/** By variable or, in their order, by line. */
function wordIssues(issues: readonly Issue[], file: YamlFile, isOfFile: boolean): readonly string[] {
  const inVariables: string[] = [];
  const inFile = [...file.open.values()].map(({ line, variable }) => ({
    line,
    said: `the variable ${variable} is not set`,
  }));
  for (const { path, message } of issues) {
    const [name, , ...rest] = path;
    if (name === 'warehouses' && !isOfFile && rest[0] !== 'deadlines') inVariables.push(wordVariable(rest, message));
    else {
      // A warehouse has some settings from the shared ones.
      const places = name === 'warehouses' && rest.length > 0 ? [path, ['defaults', ...rest], rest] : [path];
      const depth = (place: readonly PropertyKey[]) => place.length - rest.length + 1;
      const place = places.find((it) => file.find(it.slice(0, depth(it))).exists) ?? path;
      const { exists, node, line } = file.find(place);
      // The variable that is not set has been reported.
      if (exists && file.open.has(node)) continue;
      const key = (name === 'warehouses' && path.length > 1 ? rest : path).join('.');
      inFile.push({ line, said: key ? `${key}: ${message}` : message });
    }
  }
  const sorted = inFile.toSorted((a, b) => a.line - b.line);
  return [...inVariables, ...sorted.map(({ line, said }) => `${file.path}, line ${line}: ${said}`)];
}
