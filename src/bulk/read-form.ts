import { type Filters, isMoment } from '../admin/filter.ts';
import { parseMoment } from '../base/moment.ts';
import { Problem } from '../http/problem.ts';
import type { BulkName } from '../store/schema.ts';
import { bulkFilters } from './filters.ts';

/** Reads the form of a bulk action: without fields that are empty, and with times where it has ages. */
export function readBulkForm(body: unknown): object {
  const { action, chosen, ...fields } = (body ?? {}) as Readonly<Record<string, string>>;
  // Without a key the filter would name everything.
  if (chosen !== undefined && !fields.keys) throw new Problem(400, 'Nothing is chosen: tick some first.');
  const given = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  return {
    action,
    filter: Object.fromEntries(given.map(([name, value]) => [name, isTime(action, name) ? toIso(value) : value])),
  };
}

function isTime(action: string | undefined, name: string): boolean {
  const filters: Filters = bulkFilters[action as BulkName] ?? {};
  const filter = Object.hasOwn(filters, name) && filters[name];
  return filter ? isMoment(filter.form) : false;
}

/** Leaves what is no time to the validation. */
function toIso(text: string): string {
  const at = parseMoment(text.trim(), Date.now());
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}
