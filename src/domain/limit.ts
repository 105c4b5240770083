/** Part of an installation that a token is limited to: a warehouse account, or one customer of it. */
export interface Limit {
  readonly tenant: string;
  readonly customer?: string;
}

/** Part that is not limited to a customer. */
export const isWhole = ({ customer }: Limit): boolean => customer === undefined;

/** Reports whether a whole account is within the limits; without limits, each is. */
export const holdsTenant = (limits: readonly Limit[] | undefined, tenant: string): boolean =>
  limits === undefined || limits.some((it) => isWhole(it) && it.tenant === tenant);

/** Returns the destinations that get nothing beyond limits. An only account has no id of its own: each within the limits is it. */
export const destinationsWithin = <
  D extends { readonly tenant: string | undefined; readonly customers?: readonly string[] | undefined },
>(
  limits: readonly Limit[],
  destinations: readonly D[],
): readonly D[] =>
  destinations.filter(({ tenant: own, customers }) =>
    (own === undefined ? limits.map(({ tenant }) => tenant) : [own]).some((tenant) =>
      holdsCustomers(limits, tenant, customers),
    ),
  );

/** Reports whether everything of some customers of an account is within the limits; no customers are all of them. */
export const holdsCustomers = (
  limits: readonly Limit[] | undefined,
  tenant: string,
  customers: readonly string[] = [],
): boolean =>
  holdsTenant(limits, tenant) ||
  (customers.length > 0 &&
    customers.every((customer) => limits?.some((it) => it.tenant === tenant && it.customer === customer)));
