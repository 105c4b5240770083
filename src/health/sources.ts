import type { Kysely } from 'kysely';
import type { ConditionName } from '../domain/health/condition.ts';
import { type Found, hasLasted } from '../domain/health/incident.ts';
import type { Readings } from '../store/limited-reads.ts';
import type { Database } from '../store/schema.ts';
import { findCustomerName } from '../subjects/tables/subject-search.ts';

export const HOLD_MS = 60_000;

export const isHeld = (since: number | null, now: number): boolean => since !== null && hasLasted(since, now, HOLD_MS);

const CHECKED_AFTER_MS = 10_000;

/** Time at which that is held which is checked now. */
export const checkedAt = (now: number): number => now + HOLD_MS - CHECKED_AFTER_MS;

export const isChecked = (since: number | null, now: number): boolean =>
  isHeld(since, checkedAt(now)) && !isHeld(since, now);

export interface Away {
  readonly part: 'Temporal' | 'workers';
  /** Task queue that nobody polls; absent if Temporal is away. */
  readonly queue?: string;
  readonly because?: string;
  readonly since: number;
}

/** Last success, or the beginning of those that never succeeded. */
export interface LastSweep {
  readonly succeededAt: number;
  /** Ingested, since no webhook had reported them. */
  readonly differences: number;
}

/** Verifies an endpoint's webhooks, and cannot be fetched. */
export interface MissingKey {
  readonly endpoint: string;
  readonly tenant: string;
  readonly error: string;
  readonly since: number;
  readonly at: number;
}

/** Not in the store. */
export interface Machine {
  findAway(): Promise<Away | undefined>;
  /** Undefined if the database is on another machine. */
  freeBytes(): Promise<number | undefined>;
  /** As of a time; nothing if none is scheduled. */
  sweeps(): Promise<{
    readonly last: readonly (LastSweep & { readonly tenant: string })[];
    readonly everyMs: number;
    readonly at: number;
  }>;
  missingKeys(): Promise<readonly MissingKey[]>;
  lackingAttributes(): Promise<readonly { readonly name: string; readonly because: string }[]>;
}

/** For one audience; the connection reads nothing that is not for it. */
export interface Sources extends Pick<Readings, 'reads' | 'once'> {
  /** Absent for an audience that is limited to a part. */
  readonly machine?: Machine | undefined;
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** A bounded reading of the store, or of the machine. */
export type Find = (sources: Sources) => Promise<readonly Found[]>;

export type Searches = { readonly [Name in ConditionName]?: Find };

/** By an incident. */
const NAMED = 5;

export interface CustomerRow {
  readonly tenant: string;
  readonly id: string | null;
  readonly count: number;
  readonly atRisk?: number;
}

/** By warehouse, with the customers of the most. */
export async function sumUp(reads: Kysely<Database>, rows: readonly CustomerRow[], isMore = false) {
  const groups = Map.groupBy(rows, ({ tenant }) => tenant);
  const held = await Array.fromAsync(groups, async ([tenant, of]) => {
    const most = of.toSorted((a, b) => b.count - a.count).slice(0, NAMED);
    const customers = await Array.fromAsync(most, async ({ id, count }) => ({
      ...{ id, count, name: id === null ? null : await findCustomerName(reads, tenant, id) },
    }));
    const count = of.reduce((sum, it) => sum + it.count, 0);
    const atRisk = of.reduce((sum, it) => sum + (it.atRisk ?? 0), 0);
    return [tenant, { count, isMore, atRisk, customers }] as const;
  });
  return new Map(held);
}
