import { readTroubles, type TenantTrouble, TROUBLES_READ } from '../../store/tables/troubles.ts';
import { listPath, nameAccount, type Search } from './search.ts';

/** Finds the warehouses for which GETs fail, by the code of the failure. One for which they fail since lately is left out. */
const search =
  (isMeant: (trouble: TenantTrouble) => boolean): Search =>
  async ({ reads, now, failingMs, byCustomer }) => {
    const all = await readTroubles(reads);
    const isMore = all.length >= TROUBLES_READ;
    const troubles = all.filter((it) => it.activity === 'retrieving' && isMeant(it));
    const accountOf = ({ tenant, customerId }: TenantTrouble) =>
      nameAccount({ tenant, customerId: byCustomer ? customerId : null });
    return [...Map.groupBy(troubles, accountOf)].flatMap(([about, group]) => {
      const [oldest] = group.toSorted((a, b) => a.since - b.since);
      if (!oldest || oldest.since > now - failingMs) return [];
      const newest = group.toSorted((a, b) => b.nextTryAt - a.nextTryAt)[0] ?? oldest;
      const { tenant } = oldest;
      const path = listPath({ attention: 'failing', tenant });
      return [{ about, count: group.length, isMore, since: oldest.since, because: newest.error, path }];
    });
  };

const isRefusal = ({ code }: TenantTrouble): boolean => code === 'ERR_WAREHOUSE_UNAUTHENTICATED';

/** Finds the warehouses that refuse the credential. */
export const findRefusedCredentials = search(isRefusal);

/** Finds the warehouses whose GETs fail for another reason. */
export const findFailingWarehouses = search((it) => !isRefusal(it));
