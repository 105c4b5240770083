import { createHash } from 'node:crypto';

/** Kind of credential (specification 5.1). */
export type CredentialType = 'singleTenantStatic' | 'singleTenantDynamic' | 'multiTenant';

/** Credential of a client of the simulator. */
export interface Credential {
  readonly type: CredentialType;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userLogin: string;
  /** GUID of the tenant in a token request; only a dynamic credential needs it. */
  readonly tpl: string;
}

/** One credential of each type. */
export type Credentials = Readonly<Record<CredentialType, Credential>>;

/**
 * Derives a tenant's credentials from the seed, so that clients survive a restart. The static credential is the tenant's
 * own; all tenants share the others.
 */
export function createCredentials(seed: number, { tplId, tpl }: { tplId: number; tpl?: string }): Credentials {
  const create = (type: CredentialType, name: string): Credential => ({
    type,
    clientId: toGuid(hash(`${seed}/${name}/id`)),
    clientSecret: hash(`${seed}/${name}/secret`),
    userLogin: 'integration@dockline.example',
    tpl: tpl ?? toGuid(hash(`${seed}/${tplId}/tpl`)),
  });
  return {
    singleTenantStatic: create('singleTenantStatic', `${tplId}/static`),
    singleTenantDynamic: create('singleTenantDynamic', 'dynamic'),
    multiTenant: create('multiTenant', 'multi'),
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const toGuid = (hex: string): string => hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
