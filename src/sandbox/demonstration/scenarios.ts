import type { scenarioNames } from '../../config/variables.ts';
import type { Faults } from '../simulator/api/faults.ts';
import type { Manners } from '../simulator/manners.ts';

/** Manners and faults of the simulated warehouse in a demonstration. */
interface Scenario {
  readonly manners: Partial<Manners>;
  readonly faults: Partial<Faults>;
}

/** Scenarios of `npm start -- --scenario`. */
export const scenarios: Readonly<Record<(typeof scenarioNames)[number], Scenario>> = {
  /** Plausible in any warehouse. */
  everyday: { manners: { packagesFirst: true }, faults: {} },
  /** Everything at once that a first day against a real warehouse may bring. */
  'first-day': {
    manners: {
      ...{ spelling: 'label', body: 'string', links: 'object', stockRows: 'embedded' },
      ...{ readLagMs: 1500, omitStatus: true, bareTransactions: true, packagesFirst: true },
    },
    faults: { forbidden: ['getUser', 'getOrdersPicklist', 'getCustomer'], errorRate: 0.02, rateLimitRate: 0.02 },
  },
};
