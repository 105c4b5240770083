import { PAGE_LIMIT } from '../../admin/queries.ts';
import { UsageError } from '../usage-error.ts';
import type { AdminClient } from './client.ts';
import type { Given } from './options.ts';

interface SubjectRow {
  readonly tenant: string;
  readonly kind: string;
  readonly id: string;
}

/** Returns the path of a subject. */
export const addressOf = ({ tenant, kind, id }: SubjectRow): string =>
  `/subjects/${[tenant, kind, id].map(encodeURIComponent).join('/')}`;

/** Returns the path of a subject; its tenant is needed only if several tenants have a subject with this id. @throws UsageError */
export async function findSubject(client: AdminClient, { kind, id, tenant }: Given): Promise<string> {
  const { items }: { items: readonly SubjectRow[] } = await client.get('/subjects', { kind, id, tenant });
  const [only, other] = items;
  if (!only) throw new Error(`there is no ${kind} ${id}`);
  if (!other) return addressOf(only);
  const tenants = items.map((it) => it.tenant).join(', ');
  throw new UsageError(`several tenants have a ${kind} ${id}; choose one with --tenant: ${tenants}`);
}

/** Returns the tenant of a destination: the one that is given, that of the only destination of this name, or the only one. @throws UsageError */
export async function tenantOf(client: AdminClient, { name, tenant }: Given): Promise<string> {
  if (typeof tenant === 'string') return tenant;
  const tenantsOf = async (query: Given) => {
    const { items }: { items: readonly SubjectRow[] } = await client.get('/destinations', {
      ...query,
      limit: PAGE_LIMIT,
    });
    return [...new Set(items.map((it) => it.tenant))];
  };
  const named = await tenantsOf({ name });
  const tenants = named.length > 0 ? named : await tenantsOf({});
  const [only, other] = tenants;
  if (only !== undefined && other === undefined) return only;
  throw new UsageError(`choose a warehouse with --tenant${other === undefined ? '' : `: ${tenants.join(', ')}`}`);
}

/** Returns the path of a call, in which values take the place of the names in braces. */
export async function fillPath(client: AdminClient, path: string, given: Given): Promise<string> {
  const fill = (template: string, values: Given) =>
    template.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(values[key])));
  // An id in another form is no address of the API, and its answer would say that.
  if (path.startsWith('/announcements/{id}') && !/^[^/]+\/[^/]+\/[^/]+$/.test(String(given.id)))
    throw new Error(`there is no announcement ${given.id}`);
  const [, rest] = /^\/subjects\/\{tenant\}\/\{kind\}\/\{id\}(.*)$/.exec(path) ?? [];
  if (rest !== undefined) return `${await findSubject(client, given)}${fill(rest, given)}`;
  return fill(path, path.includes('{tenant}') ? { ...given, tenant: await tenantOf(client, given) } : given);
}
