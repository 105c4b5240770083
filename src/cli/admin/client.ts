import { OPERATOR_HEADER } from '../../admin/audit.ts';
import { listAddress } from '../../admin/board/addresses.ts';
import { PAGE_LIMIT } from '../../admin/queries.ts';
import { CSV_TYPE } from '../../admin/views/csv.ts';
import { loadConfig } from '../../config/config.ts';
import { recordName } from '../../domain/catalogue/subject.ts';
import type { Environment } from '../../forms/forms.ts';
import { operatorName, UsageError } from '../command.ts';
import type { Given } from './options.ts';

interface Target {
  readonly url: string;
  readonly token: string | undefined;
  readonly operator?: string;
}

/** Reads only its own variables: the machine may have no other configuration. */
export function readTarget(variables: Environment): Target {
  const admin = Object.entries(variables).filter(([name]) => name.startsWith('ADMIN_') && name !== 'ADMIN_HOST');
  const { ADMIN_URL, ADMIN_PORT, ADMIN_TOKEN: token } = loadConfig(Object.fromEntries(admin));
  return { url: ADMIN_URL ?? `http://127.0.0.1:${ADMIN_PORT}`, token, operator: operatorName() };
}

export type AdminClient = ReturnType<typeof createAdminClient>;

/** An error response rejects with its detail. */
export function createAdminClient(locate: () => Target) {
  return {
    get: (path: string, query: Given = {}) => call(locate(), listAddress(path, query), {}),
    csv: (path: string, query: Given = {}) => openCsv(locate(), listAddress(path, query)),
    post: (path: string, body?: object) => call(locate(), path, { method: 'POST', body }),
  };
}

interface Asked {
  readonly method?: string;
  readonly body?: object | undefined;
  readonly accept?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the answer comes from this project's own API and is only displayed
async function call(target: Target, path: string, asked: Asked): Promise<any> {
  const response = await send(target, path, asked);
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  throw new Error(explain(response.status, target.url, answer));
}

async function openCsv(target: Target, path: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await send(target, path, { accept: CSV_TYPE });
  const isCsv = response.headers.get('content-type')?.startsWith(CSV_TYPE) ?? false;
  if (response.ok && response.body && isCsv) return response.body;
  throw new Error(explain(response.status, target.url, await response.json().catch(() => undefined)));
}

async function send({ url, token, operator }: Target, path: string, { method = 'GET', body, accept }: Asked) {
  return await fetch(`${url.replace(/\/$/, '')}${path}`, {
    method,
    // A redirect would pass the token on to another address.
    redirect: 'manual',
    headers: {
      ...(accept && { accept }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(operator && { [OPERATOR_HEADER]: operator.replaceAll(/[^\w.@-]/g, '_') }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Error(`nothing answers at ${url}; is Dockline running? ADMIN_URL sets its address`, { cause });
  });
}

function explain(status: number, url: string, answer: unknown): string {
  const { detail } = (answer ?? {}) as { readonly detail?: string };
  if (status === 401) return 'the token was rejected; ADMIN_TOKEN must be a token of the running Dockline';
  return detail ?? `the server at ${url} answered ${status} but is not Dockline's administrative API`;
}

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
