export const findTenant = <T extends { readonly id: string }>(tenants: readonly T[], id: string): T | undefined =>
  tenants.find((tenant) => tenant.id === id);
