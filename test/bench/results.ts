import type { HistoryCount } from './history-count.ts';
import type { Verdict } from './ledger.ts';
import type { Measured } from './statistics.ts';

/** What took part end to end. */
export type Integration = 'textbook' | 'sqlite' | 'postgres';

/** How the webhooks of the orders are sent: 16 or 64 orders at a time, or all at once. */
export type Pattern = '16' | '64' | 'burst';

/** Requests a second of the webhook alone at 64 connections, and answers while everything runs. */
export interface IntakeResult {
  /** Dockline on SQLite, durable and verified, to bare Fastify. */
  readonly ratio: number;
  readonly ratioPostgres: number | null;
  /** The slowest of a hundred answers at 16 connections while the whole system runs on SQLite, in milliseconds; null where only the webhook ran. */
  readonly p99Ms: number | null;
  readonly requestsPerSecond: {
    readonly bare: Measured;
    readonly sqlite: Measured;
    readonly postgres: Measured | null;
  };
}

/** Events a second, from the first webhook to the last announcement. */
export interface EndToEndResult {
  /** Dockline on SQLite to the textbook. */
  readonly ratio16: number;
  readonly ratio64: number;
  readonly burst: number;
  /** Dockline on SQLite, 16 orders at a time. */
  readonly eventsPerSecond: number;
  readonly rates: Readonly<Partial<Record<Integration, Readonly<Record<Pattern, Measured>>>>>;
}

/** How Dockline retrieves and announces: within the workflow's own task, or as regular activities. */
export type Mode = 'inline' | 'regular';

/** What an order of six events costs: means over orders, since costs add up. */
export interface OrderCost extends Omit<HistoryCount, 'updates'> {
  /** Of its history. */
  readonly bytes: number;
  /** GETs of the warehouse for each event, with users and customers cached. */
  readonly calls: number;
}

/** What orders cost in one mode: those whose events come one by one, and those that come in a burst. */
export interface ModeCost {
  readonly oneByOne: OrderCost;
  readonly burst: OrderCost;
}

/** What orders cost on SQLite. */
export type CostResult = Readonly<Record<Mode, ModeCost>>;

/** How fast events were followed end to end by one contender in one situation. */
export interface ModeRow {
  /** How long each GET and each answer of the destination takes, in milliseconds. */
  readonly getMs: number;
  readonly destinationMs: number;
  readonly pattern: Extract<Pattern, '16' | 'burst'>;
  readonly integration: Integration;
  /** Null for the textbook. */
  readonly mode: Mode | null;
  readonly eventsPerSecond: Measured;
  /** The same of each round, in their order. */
  readonly rounds: readonly number[];
  /** Not a number where the textbook did not run. */
  readonly toTextbook: number;
  /** Of regular activities to inline ones on the same database; null where they are inline. */
  readonly toInline: number | null;
}

/** Both modes on both databases beside the textbook. */
export interface ModesResult {
  /** Of each figure. */
  readonly orders: number;
  readonly rows: readonly ModeRow[];
}

/** One webhook on an idle system until its announcement, in milliseconds. */
export interface QuietResult {
  /** Dockline on SQLite to the textbook. */
  readonly ratio: number;
  readonly ms: Readonly<Partial<Record<Integration, Measured>>>;
}

/** A burst against a warehouse that answers after 150 ms and allows 5 calls a second. */
export interface SlowWarehouseResult {
  readonly orders: number;
  readonly seconds: number;
  /** To the time that two calls an order take at that rate. */
  readonly ratio: number;
  readonly calls: number;
  /** How many of them were answered 429. */
  readonly refused: number;
}

/** Speed at a large backlog to that at a small one. */
export interface GrowthResult {
  readonly rows: { readonly small: number; readonly large: number };
  readonly sqlite: { readonly intake: number; readonly observing: number };
  readonly postgres: { readonly intake: number; readonly observing: number } | null;
}

/** Resident memory of the process that takes webhooks in and dispatches, and of the worker, in MB. */
export interface MemoryResult {
  readonly webhooks: number;
  readonly service: { readonly before: number; readonly peak: number; readonly after: number };
  readonly worker: { readonly peak: number; readonly cachedWorkflows: number };
}

/** Good traffic beside hostile input: how long the slowest of a hundred answers takes, in milliseconds. */
export interface HostileResult {
  readonly quietP99Ms: number;
  readonly hostileP99Ms: number;
  readonly ratio: number;
  /** Hostile requests and connections meanwhile. */
  readonly attacks: number;
}

/** What one run of the benchmark found; null for what was left out. */
export interface Results {
  readonly quick: boolean;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGb: number;
    readonly node: string;
    /** Of the time that programs wanted the cores, what the host gave to others meanwhile; null where that is unknown. */
    readonly stolenShare: number | null;
  };
  readonly workload: { readonly orders: number; readonly events: number; readonly rounds: number };
  readonly intake: IntakeResult | null;
  readonly endToEnd: EndToEndResult | null;
  readonly cost: CostResult | null;
  readonly quiet: QuietResult | null;
  readonly modes: ModesResult | null;
  readonly slowWarehouse: SlowWarehouseResult | null;
  readonly growth: GrowthResult | null;
  readonly memory: MemoryResult | null;
  readonly hostile: HostileResult | null;
  readonly lost: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
}

/** How orders went through a system with a pattern. */
export interface Passage {
  readonly orderIds: readonly string[];
  /** From the first webhook to the last announcement. */
  readonly eventsPerSecond: number;
  /** GETs of the warehouse for each event, with those that come after the last announcement. */
  readonly callsPerEvent: number;
  /** What the slowest of a hundred answers to webhooks took. */
  readonly p99Ms: number;
}

/** How orders were followed whose events came one by one. */
export interface Lives {
  readonly orderIds: readonly string[];
  /** From sending a webhook to its announcement: the median. */
  readonly ms: number;
  /** GETs of the warehouse for each event, with those that come after the last announcement. */
  readonly callsPerEvent: number;
}

/** What was measured of an integration in one round, all on one system. */
export interface Visit {
  readonly integration: Integration;
  readonly passages: Readonly<Partial<Record<Pattern, Passage>>>;
  readonly lives?: Lives;
  readonly verdict: Verdict;
}
