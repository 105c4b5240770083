import { isWhole, type Limit } from '../domain/limit.ts';

export interface Audience {
  /** Empty for the whole installation. */
  readonly name: string;
  /** Empty for the whole installation. */
  readonly limits: readonly Limit[] | undefined;
}

export const everything: Audience = { name: '', limits: undefined };

/** Without tenants and customers: everything. */
export function audienceOf(tenants: readonly string[], customers: readonly string[]): Audience {
  if (tenants.length === 0) return everything;
  const limits = tenants.flatMap((tenant): Limit[] =>
    customers.length === 0 ? [{ tenant }] : customers.map((customer) => ({ tenant, customer })),
  );
  return { name: limits.map(({ tenant, customer }) => [tenant, customer].filter(Boolean).join(':')).join(','), limits };
}

export const isOfCustomers = ({ limits }: Audience): boolean => limits !== undefined && !limits.every(isWhole);
