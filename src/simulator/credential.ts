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
  /** The GUID that names the operator in a token request; only a dynamic credential needs it. */
  readonly tpl: string;
}

/** One credential of each type; the same seed makes the same ones, so that a client outlives a restart. */
export function createCredentials(seed: number): Readonly<Record<CredentialType, Credential>> {
  const create = (type: CredentialType): Credential => ({
    type,
    clientId: toGuid(hash(`${seed}/${type}/id`)),
    clientSecret: hash(`${seed}/${type}/secret`),
    userLogin: 'integration@dockline.example',
    tpl: toGuid(hash(`${seed}/tpl`)),
  });
  return {
    singleTenantStatic: create('singleTenantStatic'),
    singleTenantDynamic: create('singleTenantDynamic'),
    multiTenant: create('multiTenant'),
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function toGuid(hex: string): string {
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
