import { PAGE_LIMIT } from '../../admin/queries.ts';
import { recordName } from '../../domain/catalogue/subject.ts';
import { UsageError } from '../usage-error.ts';
import type { AdminClient } from './client.ts';
import type { Given } from './options.ts';

interface SubjectRow {
  readonly tenant: string;
  readonly kind: string;
  readonly id: string;
}

export const addressOf = ({ tenant, kind, id }: SubjectRow): string =>
  `/subjects/${[tenant, kind, id].map(encodeURIComponent).join('/')}`;

/** All of those that are configured unless one is given. @throws UsageError */
export function chooseTenants<T extends { readonly id: string }>(tenants: readonly T[], given?: string): readonly T[] {
  if (given === undefined) return tenants;
  const chosen = tenants.filter(({ id }) => id === given);
  if (chosen.length > 0) return chosen;
  const known = tenants.map(({ id }) => id).join(', ');
  throw new UsageError(`--tenant ${given} is not configured; configured tenants: ${known || 'none'}`);
}

/** Needs the tenant only if several have a subject of this id. @throws UsageError */
export async function findSubject(client: AdminClient, { kind, id, tenant }: Given): Promise<string> {
  const name = recordName({ kind: String(kind), id: String(id) });
  const { items }: { items: readonly SubjectRow[] } = await client.get('/subjects', { kind, id, tenant });
  const [only, other] = items;
  if (!only) throw new Error(`there is no ${name}`);
  if (!other) return addressOf(only);
  const tenants = items.map((it) => it.tenant).join(', ');
  throw new UsageError(`several tenants have ${name}; choose one with --tenant: ${tenants}`);
}

/** The given one, that of the only destination of this name, or the only tenant. @throws UsageError */
async function tenantOf(client: AdminClient, { name, tenant }: Given): Promise<string> {
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

export async function fillPath(client: AdminClient, path: string, given: Given): Promise<string> {
  const fill = (template: string, values: Given) =>
    template.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(values[key])));
  // An id of another form is no address of the API, whose answer would say that instead.
  if (path.startsWith('/announcements/{id}') && !/^[^/]+\/[^/]+\/[^/]+$/.test(String(given.id)))
    throw new Error(`there is no announcement ${given.id}`);
  const [, rest] = /^\/subjects\/\{tenant\}\/\{kind\}\/\{id\}(.*)$/.exec(path) ?? [];
  if (rest !== undefined) return `${await findSubject(client, given)}${fill(rest, given)}`;
  return fill(path, path.includes('{tenant}') ? { ...given, tenant: await tenantOf(client, given) } : given);
}
