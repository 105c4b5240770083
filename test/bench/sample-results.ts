import { rowsOf } from './modes.ts';
import type { OrderCost, Results } from './results.ts';
import { summarize } from './statistics.ts';

/** Figures around a median. */
export const around = (median: number) => summarize([median * 0.9, median, median * 1.1]);

const ratesOf = (one: number, two: number, burst: number) => ({
  '16': around(one),
  '64': around(two),
  burst: around(burst),
});

const costOf = (cost: Partial<OrderCost>): OrderCost => ({
  ...{ events: 30, bytes: 9000, signals: 6, workflowTasks: 6, localActivities: 6, activities: 0 },
  ...{ upserts: 6, timers: 1, actions: 19, calls: 0.3, ...cost },
});

const slowly = { getMs: 150, destinationMs: 50, pattern: '16' } as const;

/** Made-up results in which everything was measured and every goal is reached. */
export const good = {
  quick: false,
  machine: { cpu: 'Example 3000 CPU @ 2.50GHz', cores: 2, memoryGb: 7.8, node: 'v24.21.0', stolenShare: 0.004 },
  workload: { orders: 600, events: 3600, rounds: 3 },
  intake: {
    ratio: 0.45,
    ratioPostgres: 0.3,
    p99Ms: 18.3,
    requestsPerSecond: { bare: around(8000), sqlite: around(3600), postgres: around(2400) },
  },
  endToEnd: {
    ratio16: 5.5,
    ratio64: 6,
    burst: 8,
    eventsPerSecond: 330,
    rates: { textbook: ratesOf(60, 70, 80), sqlite: ratesOf(330, 420, 640), postgres: ratesOf(300, 350, 560) },
  },
  cost: {
    inline: {
      oneByOne: costOf({ events: 84, bytes: 23_000, calls: 1.17 }),
      burst: costOf({ events: 21, calls: 0.34 }),
    },
    regular: { oneByOne: costOf({ events: 123, activities: 12 }), burst: costOf({ events: 45, actions: 8.25 }) },
  },
  quiet: { ratio: 1.3, ms: { textbook: around(30), sqlite: around(39), postgres: around(42) } },
  modes: {
    orders: 120,
    rows: rowsOf([
      { ...slowly, integration: 'textbook', mode: null, eventsPerSecond: 50 },
      { ...slowly, integration: 'sqlite', mode: 'inline', eventsPerSecond: 100 },
      { ...slowly, integration: 'sqlite', mode: 'regular', eventsPerSecond: 75 },
    ]),
  },
  slowWarehouse: { orders: 60, seconds: 26.4, ratio: 1.1, calls: 130, refused: 4 },
  growth: {
    rows: { small: 1000, large: 1_000_000 },
    sqlite: { intake: 0.95, observing: 0.9 },
    postgres: { intake: 0.97, observing: 0.92 },
  },
  memory: {
    webhooks: 120,
    service: { before: 90, peak: 210, after: 130 },
    worker: { peak: 320, cachedWorkflows: 600 },
  },
  hostile: { quietP99Ms: 12, hostileP99Ms: 18, ratio: 1.5, attacks: 4000 },
  lost: 0,
  duplicates: 0,
  outOfOrder: 0,
} satisfies Results;

/** The same where PostgreSQL could not be reached and the longer measurements were left out. */
export const short: Results = {
  ...good,
  quick: true,
  intake: {
    ...good.intake,
    ratioPostgres: null,
    requestsPerSecond: { ...good.intake.requestsPerSecond, postgres: null },
  },
  endToEnd: { ...good.endToEnd, rates: { textbook: ratesOf(60, 70, 80), sqlite: ratesOf(330, 420, 640) } },
  quiet: { ratio: 1.3, ms: { textbook: around(30), sqlite: around(39) } },
  modes: null,
  slowWarehouse: null,
  growth: null,
  memory: null,
  hostile: null,
};
