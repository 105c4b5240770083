import type { Store } from '../../src/app/store.ts';
import type { DestinationFilter } from '../../src/domain/routing.ts';

/** Gives the destinations of an account their rows, as a start does. */
export const configure = (
  { destinations }: Pick<Store, 'destinations'>,
  filters: Readonly<Record<string, DestinationFilter>> = { default: {} },
  tenant = '9104',
): Promise<void> =>
  destinations.configure([
    {
      id: tenant,
      destinations: Object.entries(filters).map(([name, filter]) => ({
        name,
        address: 'https://merchant.test/hook',
        ...filter,
      })),
    },
  ]);
