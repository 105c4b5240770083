/** Finds a tenant by its id; an only tenant without one matches every id. */
export function findTenant<T extends { readonly id: string | undefined }>(
  tenants: readonly T[],
  id: string,
): T | undefined {
  return tenants.find((tenant) => tenant.id === id) ?? tenants.find((tenant) => tenant.id === undefined);
}
