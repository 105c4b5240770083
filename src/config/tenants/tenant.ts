import type { Verification } from './verification.ts';

/** Where a warehouse's API is and who asks (specification 2.1, 4.1, 5.1). */
export interface Access {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userLogin: string;
  /** The tenant in token requests; with a single-tenant dynamic credential only. */
  readonly tpl?: string | undefined;
}

/** The optional sections of orders, of their lines and of receipts (specification 2.4). */
export interface Detail {
  readonly orderDetail: readonly string[];
  readonly itemDetail: readonly string[];
  readonly receiptDetail: readonly string[];
}

/** Where announcements go, and the secret that signs them. */
export interface DestinationAddress {
  readonly url: string;
  readonly secret: string;
}

/** What is set for one warehouse tenant. */
export interface TenantSettings {
  /** The `tplId` in its messages; undefined for an only tenant whose messages are taken whatever they name. */
  readonly id: string | undefined;
  /** The last part of the address that its webhooks go to. */
  readonly endpoint: string;
  readonly access: Access;
  readonly detail: Detail;
  /** How many GETs its warehouse takes a second. */
  readonly callsPerSecond: number;
  readonly verification: Verification;
  /** Undefined where none is named: the embedded receiver stands in. */
  readonly destination: DestinationAddress | undefined;
}

/** What holds for every tenant for which nothing else is set. */
export type TenantDefaults = Omit<TenantSettings, 'id' | 'endpoint' | 'access'>;

/** An tenant whose announcements go somewhere. */
export interface Tenant extends TenantSettings {
  readonly destination: DestinationAddress;
}

/** The tenant that a tenant stands for: its own, else the one that takes any. */
export function findTenant(tenants: readonly Tenant[], tenant: string): Tenant | undefined {
  return tenants.find((it) => it.id === tenant) ?? tenants.find((it) => it.id === undefined);
}

/** The tenant of the simulated warehouse that stands in where none is configured. */
export const SIMULATED_TENANT = '9104';
