import { UNNAMED_TENANT } from '../../domain/catalogue/subject.ts';
import type { StoreDeps } from '../schema.ts';

/** Creates the search for tenants of stored subjects: none, the only one, or the lowest and the highest of several ids. */
export function createTenantSearch({ db }: Pick<StoreDeps, 'db'>) {
  const first = async (order: 'asc' | 'desc'): Promise<readonly string[]> => {
    const tenants = db.selectFrom('subjects').select('tenant').where('tenant', '!=', UNNAMED_TENANT);
    return (await tenants.orderBy('tenant', order).limit(1).execute()).map(({ tenant }) => tenant);
  };
  return async (): Promise<readonly string[]> => [...new Set([...(await first('asc')), ...(await first('desc'))])];
}
