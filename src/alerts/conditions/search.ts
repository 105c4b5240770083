import type { Kysely } from 'kysely';
import type { Found } from '../../domain/alerts/finding.ts';
import type { Database } from '../../store/schema.ts';
import type { Away } from '../../store/tables/alerts.ts';
import type { Away as TemporalAway } from '../../temporal/health.ts';
import type { LastSweep } from '../../temporal/sweep-schedules.ts';

/** Last sweep of a warehouse. */
export interface TenantSweep extends LastSweep {
  readonly tenant: string;
}

/** State of the installation that is not in the store. */
export interface Machine {
  /** Returns the part of Temporal that does not answer. */
  findAway(): TemporalAway | undefined;
  /** Returns the bytes that are free for the store; undefined if its database is on another machine. */
  freeBytes(): Promise<number | undefined>;
  /**
   * Returns the last sweep of each warehouse as of a time, in milliseconds since the epoch, and the interval between them in milliseconds;
   * nothing if none is scheduled.
   */
  sweeps(): Promise<{ readonly last: readonly TenantSweep[]; readonly everyMs: number; readonly at: number }>;
}

/** Everything that conditions are found from, for one audience. */
export interface Sources {
  /** Connection that reads nothing that is not for the audience. */
  readonly reads: Kysely<Database>;
  /** Absent for an audience that is limited to a part of the installation. */
  readonly machine?: Machine | undefined;
  /** The audience is limited to customers, who are told apart. */
  readonly byCustomer: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Time for which something has to fail, in milliseconds. */
  readonly failingMs: number;
  /** Last time for which no process of Dockline looked for what is wrong. */
  readonly away: Away | null;
}

/** Search for one condition. */
export type Search = (sources: Sources) => Promise<readonly Omit<Found, 'condition'>[]>;

/** Number that says of a single thing that it is there. */
export const ONE = { count: 1, isMore: false } as const;

/** Names a warehouse account, or one customer of it. */
export const nameAccount = ({
  tenant,
  customerId,
}: {
  readonly tenant: string;
  readonly customerId?: string | null;
}) => (customerId == null ? `warehouse ${tenant}` : `customer ${customerId} of warehouse ${tenant}`);

/** Returns the address of the list of subjects with a filter. */
export const listPath = (filter: Readonly<Record<string, string | null | undefined>>): string => {
  const given = Object.entries(filter).filter((it): it is [string, string] => it[1] != null);
  return `/board/subjects?${new URLSearchParams(given)}`;
};
