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
