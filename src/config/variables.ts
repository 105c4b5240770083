import type { z } from 'zod';
import { formatIssue } from '../base/issue.ts';
import type { Environment } from '../forms/forms.ts';
import { administration, codec, metrics, tracing } from './variables/administration.ts';
import { destination } from './variables/destination.ts';
import { storage } from './variables/storage.ts';
import { reconciliation, retention, subjects } from './variables/subjects.ts';
import { temporal } from './variables/temporal.ts';
import { proxies, retries, simulator, warehouse } from './variables/warehouse.ts';
import { webhook } from './variables/webhook.ts';

/** In the order of `.env.example`, which is generated from their descriptions and defaults. */
export const variableGroups = [
  storage,
  temporal,
  warehouse,
  proxies,
  retries,
  webhook,
  retention,
  subjects,
  reconciliation,
  destination,
  administration,
  metrics,
  tracing,
  codec,
  simulator,
] as const;

type All<Group> = (Group extends unknown ? (of: Group) => void : never) extends (of: infer Every) => void
  ? Every
  : never;

export const variables = Object.assign({}, ...variableGroups) as All<(typeof variableGroups)[number]>;

export type Variables = Readonly<z.infer<z.ZodObject<typeof variables>>>;

/** A variable of a wrong form has its default in `parsed`, and a line in `problems`. */
export function parseVariables(given: Environment) {
  const results = Object.entries<z.ZodType>(variables).map(
    ([name, form]) => [name, form.safeParse(given[name], { error: formatIssue }), form] as const,
  );
  const values = results.map(([name, { success, data }, form]) => [name, success ? data : form.parse(undefined)]);
  return {
    parsed: Object.fromEntries(values) as Variables,
    problems: results.flatMap(([name, { error }]) => (error?.issues ?? []).map(({ message }) => `${name}: ${message}`)),
  };
}
