import type { Faults } from '../simulator/api/faults.ts';
import type { Manners } from '../simulator/manners.ts';

/** What the simulated warehouse of a demonstration is like. */
export interface Scenario {
  readonly manners: Partial<Manners>;
  readonly faults: Partial<Faults>;
}

/** Scenarios of `npm start -- --scenario`. */
export const scenarios = {
  /** Plausible in any warehouse. */
  everyday: { manners: {}, faults: {} },
  /** Everything at once that a first day against a real warehouse may bring. */
  'first-day': {
    manners: { spelling: 'label', body: 'string', links: 'object', stockRows: 'embedded' },
    faults: { forbidden: ['getUser', 'getOrdersPicklist', 'getCustomer'], errorRate: 0.02, rateLimitRate: 0.02 },
  },
} as const satisfies Record<string, Scenario>;
