import { createHash } from 'node:crypto';

/** The kinds of credential (specification 5.1). */
export const credentialTypes = ['singleTenantStatic', 'singleTenantDynamic', 'multiTenant'] as const;

/** A kind of credential. */
export type CredentialType = (typeof credentialTypes)[number];

/** What a client of the simulator authenticates with. */
export interface Credential {
  readonly type: CredentialType;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userLogin: string;
  /** The GUID that names the tenant in a token request; only a dynamic credential needs it. */
  readonly tpl: string;
}

/** One credential of each type. */
export type Credentials = Readonly<Record<CredentialType, Credential>>;

/**
 * The credentials for one tenant: the static one is its own, the others are the same for all. The same seed makes the same
 * ones, so that a client outlives a restart.
 */
export function createCredentials(
  seed: number,
  tenant: { readonly tplId: number; readonly tpl?: string },
): Credentials {
  const tpl = tenant.tpl ?? toGuid(hash(`${seed}/${tenant.tplId}/tpl`));
  const create = (type: CredentialType, name: string): Credential => ({
    type,
    clientId: toGuid(hash(`${seed}/${name}/id`)),
    clientSecret: hash(`${seed}/${name}/secret`),
    userLogin: 'integration@dockline.example',
    tpl,
  });
  return {
    singleTenantStatic: create('singleTenantStatic', `${tenant.tplId}/static`),
    singleTenantDynamic: create('singleTenantDynamic', 'dynamic'),
    multiTenant: create('multiTenant', 'multi'),
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function toGuid(hex: string): string {
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
