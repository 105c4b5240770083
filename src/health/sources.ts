import type { Found } from '../domain/health/incident.ts';
import type { PermittedReads } from '../store/limited-reads.ts';
import type { Away as TemporalAway } from '../temporal/health.ts';
import type { LastSweep } from '../temporal/sweep-schedules.ts';
import type { RejectedByOne } from './rejected.ts';
import type { WarehouseFailure } from './warehouse.ts';

/** Last sweep of a warehouse. */
interface TenantSweep extends LastSweep {
  readonly tenant: string;
}

/** Deviation of this machine's clock from that of another one, in milliseconds; positive if the other one is ahead. */
interface Deviation {
  readonly from: string;
  readonly ms: number;
}

/** Key that verifies the webhooks of an endpoint, and cannot be fetched since a time in milliseconds since the epoch. */
export interface MissingKey {
  readonly endpoint: string;
  /** Undefined for an only account. */
  readonly tenant: string | undefined;
  readonly error: string;
  readonly since: number;
}

/** Certificate that this installation uses, with the end of its validity in milliseconds since the epoch. */
export interface Certificate {
  readonly name: string;
  readonly until: number;
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
  /** Returns how the clocks of others differ from this one. */
  clocks(): Promise<readonly Deviation[]>;
  missingKeys(): Promise<readonly MissingKey[]>;
  certificates(): Promise<readonly Certificate[]>;
}

/** Everything that conditions are found from, for one audience. */
export interface Sources {
  /** Connection that reads nothing that is not for the audience. */
  readonly reads: PermittedReads;
  /** Absent for an audience that is limited to a part of the installation. */
  readonly machine?: Machine | undefined;
  /** The audience is limited to customers. */
  readonly isOfCustomers: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name of the time zone of times in sentences. */
  readonly timeZone: string;
}

/** Search for one condition: a bounded reading of the store, or of the machine. */
export type Find = (sources: Evidence) => Promise<readonly Found[]>;

/** Sources with what several searches read. */
export interface Evidence extends Sources {
  /** Judges once how much of each warehouse fails. */
  readonly warehouses: () => Promise<readonly WarehouseFailure[]>;
  /** Reads once what each destination rejects that accepts others. */
  readonly rejected: () => Promise<readonly RejectedByOne[]>;
}

/** Returns the address of the list of subjects with a filter. */
export const listPath = (filter: Readonly<Record<string, string | null | undefined>>): string => {
  const given = Object.entries(filter).filter((it): it is [string, string] => it[1] != null);
  return `/board/subjects?${new URLSearchParams(given)}`;
};

/** Writes a time of a sentence, without its day if that is today: `10:35 PM CST`, `Nov 28, 10:35 PM CST`. */
export function clockTime(at: number, { now, timeZone }: Pick<Sources, 'now' | 'timeZone'>): string {
  const day = (time: number) => new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'short' }).format(time);
  const date = day(at) === day(now) ? {} : ({ month: 'short', day: 'numeric' } as const);
  const format = { timeZone, hour: 'numeric', minute: '2-digit', timeZoneName: 'short', ...date } as const;
  return new Intl.DateTimeFormat('en-US', format).format(at).replaceAll('\u202f', ' ');
}
