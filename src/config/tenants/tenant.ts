import type { KindSettings } from '../../announcements/kinds.ts';
import type { Paths } from '../../domain/catalogue/paths.ts';
import type { Properties } from '../../domain/catalogue/properties.ts';
import type { DeadlineRule } from '../../domain/deadlines/rule.ts';
import type { DestinationFilter } from '../../domain/routing.ts';
import type { Verification } from '../../ingress/verification/schemes.ts';

/** Addresses of a warehouse's API, and the credential to use it (specification 2.1, 4.1, 5.1). */
interface Access {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userLogin: string;
  /** Tenant in token requests; with a single-tenant dynamic credential only. */
  readonly tpl?: string | undefined;
}

/** Optional sections of orders, of their lines and of receipts (specification 2.4). */
interface Detail {
  readonly orderDetail: readonly string[];
  readonly itemDetail: readonly string[];
  readonly receiptDetail: readonly string[];
}

/** Paths and properties of a warehouse's API; most are guesses where the specification shows none. */
interface Conventions {
  readonly paths: Paths;
  readonly properties: Properties;
}

/** Destination with its name, which is unique within its tenant, and the changes that it wants. */
export type DestinationSettings = KindSettings & DestinationFilter & { readonly name: string };

/** Name of the destination that `announce` and `ANNOUNCE_URL` describe. */
export const DEFAULT_DESTINATION = 'default';

/** Settings of a tenant of a warehouse. */
export interface TenantSettings {
  /** `tplId` in its messages; undefined for an only tenant, which accepts messages that name any. */
  readonly id: string | undefined;
  /** Last segment of the path of its webhook endpoint. */
  readonly endpoint: string;
  readonly access: Access;
  readonly detail: Detail;
  readonly conventions: Conventions;
  /** Rate limit of GETs from its warehouse. */
  readonly callsPerSecond: number;
  readonly verification: Verification;
  /** Empty for the embedded receiver. */
  readonly destinations: readonly DestinationSettings[];
  /** Rules by which its subjects are due, in the order in which they are tried; empty for none. */
  readonly deadlines: readonly DeadlineRule[];
}

/** Settings that tenants share by default. */
export type TenantDefaults = Omit<TenantSettings, 'id' | 'endpoint' | 'access'>;

/** Finds a tenant by its id; an only tenant without one matches every id. */
export function findTenant<T extends Pick<TenantSettings, 'id'>>(tenants: readonly T[], id: string): T | undefined {
  return tenants.find((tenant) => tenant.id === id) ?? tenants.find((tenant) => tenant.id === undefined);
}

/** Id of the tenant in the simulated warehouse, which is used if none is configured. */
export const SIMULATED_TENANT = '9104';
