import type { SubjectKind } from './catalogue/subject.ts';
import { milestoneIn } from './lifecycle/milestone.ts';
import { type DestinationFilter, wants } from './routing.ts';

interface Concerning {
  readonly id: string;
  /** After the change; null while unknown. */
  readonly customerId: string | null;
}

declare const permitted: unique symbol;

/** Only {@link permit} makes one, and nothing is sent without. */
export type Permitted<T> = T & { readonly [permitted]: true };

/** Asked as something goes out. A receiver with customers gets nothing of others, nor of an unknown customer. */
export const permit = <T extends Concerning>(receiver: DestinationFilter, it: T): Permitted<T> | undefined =>
  wants(receiver, { kind: kindIn(it.id), milestone: milestoneIn(it.id), customerId: it.customerId })
    ? (it as Permitted<T>)
    : undefined;

/** A test of a connection, which is about nobody, or everything for whoever may have everything. */
export const permitAnyone = <T>(it: T): Permitted<T> => it as Permitted<T>;

const kindIn = (id: string): SubjectKind => id.slice(0, id.indexOf(':')) as SubjectKind;

export const findTenant = <T extends { readonly id: string }>(tenants: readonly T[], id: string): T | undefined =>
  tenants.find((tenant) => tenant.id === id);

export interface Limit {
  readonly tenant: string;
  readonly customer?: string;
}

export const isWhole = ({ customer }: Limit): boolean => customer === undefined;

export const holdsTenant = (limits: readonly Limit[] | undefined, tenant: string): boolean =>
  limits === undefined || limits.some((it) => isWhole(it) && it.tenant === tenant);

export const holdsCustomers = (
  limits: readonly Limit[] | undefined,
  tenant: string,
  customers: readonly string[] = [],
): boolean =>
  holdsTenant(limits, tenant) ||
  (customers.length > 0 &&
    customers.every((customer) => limits?.some((it) => it.tenant === tenant && it.customer === customer)));
