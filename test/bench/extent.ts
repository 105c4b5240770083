/** The parts of a run, in the order in which they are measured. */
export const sections = [
  'intake',
  'endToEnd',
  'cost',
  'quiet',
  'modes',
  'slowWarehouse',
  'growth',
  'memory',
  'hostile',
] as const;

/** A part of a run. */
export type Section = (typeof sections)[number];

/** How much is measured. */
export interface Extent {
  /** Of each pattern. */
  readonly orders: number;
  readonly rounds: number;
  /** Orders that are followed before anything counts. */
  readonly warmUpOrders: number;
  /** Orders whose events come one by one. */
  readonly lives: number;
  readonly intake: { readonly requests: number; readonly warmUp: number };
  /** What each mode of Dockline follows, of each pattern, and before anything counts. */
  readonly modes: { readonly orders: number; readonly warmUpOrders: number };
  readonly slowOrders: number;
  readonly growth: { readonly small: number; readonly large: number };
  readonly memory: { readonly webhooks: number; readonly afterMs: number };
  readonly hostile: { readonly seconds: number; readonly rounds: number };
}

/** Everything, for figures that one may quote. */
export const full: Extent = {
  ...{ orders: 500, rounds: 3, warmUpOrders: 300, lives: 5, slowOrders: 100 },
  modes: { orders: 100, warmUpOrders: 60 },
  intake: { requests: 20_000, warmUp: 12_000 },
  growth: { small: 10_000, large: 1_000_000 },
  memory: { webhooks: 100_000, afterMs: 30_000 },
  hostile: { seconds: 20, rounds: 3 },
};

/** Little of everything, for rough figures within a minute. */
export const quick: Extent = {
  ...{ orders: 40, rounds: 1, warmUpOrders: 30, lives: 3, slowOrders: 10 },
  modes: { orders: 20, warmUpOrders: 10 },
  intake: { requests: 4_000, warmUp: 2_000 },
  growth: { small: 1_000, large: 20_000 },
  memory: { webhooks: 3_000, afterMs: 2_000 },
  hostile: { seconds: 3, rounds: 1 },
};

/** What a quick run is about where nobody says what. */
export const quickSections: readonly Section[] = ['intake', 'endToEnd', 'cost', 'quiet'];
