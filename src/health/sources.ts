import type { Found } from '../domain/health/incident.ts';
import type { Readings } from '../store/readings.ts';
import type { Limitation } from '../warehouse/listed.ts';

/** Part that orders need and that is away, since a time in milliseconds since the epoch. */
export interface Away {
  readonly part: 'Temporal' | 'workers';
  /** Task queue that nobody polls; absent if it is Temporal. */
  readonly queue?: string;
  readonly because?: string;
  readonly since: number;
}

/** Result of a sweep that succeeded, or the beginning of those that never did. */
export interface LastSweep {
  /** End of the last successful one. */
  readonly succeededAt: number;
  /** Number of events that it ingested, since no webhook had reported them. */
  readonly differences: number;
  /** Filters and listings that the warehouse refused or ignored. */
  readonly limitations: readonly Limitation[];
}

interface TenantSweep extends LastSweep {
  readonly tenant: string;
}

/** In milliseconds; positive if the other clock is ahead. */
interface Deviation {
  readonly from: string;
  readonly ms: number;
}

/** Key that verifies the webhooks of an endpoint, and cannot be fetched since a time in milliseconds since the epoch. */
export interface MissingKey {
  readonly endpoint: string;
  readonly tenant: string;
  readonly error: string;
  readonly since: number;
  readonly at: number;
}

/** Certificate that this installation uses, with the end of its validity in milliseconds since the epoch. */
export interface Certificate {
  readonly name: string;
  readonly until: number;
}

/** State of the installation that is not in the store. */
export interface Machine {
  findAway(): Promise<Away | undefined>;
  /** Undefined if the store's database is on another machine. */
  freeBytes(): Promise<number | undefined>;
  /**
   * Returns the last sweep of each warehouse as of a time, in milliseconds since the epoch, and the interval between them in milliseconds;
   * nothing if none is scheduled.
   */
  sweeps(): Promise<{ readonly last: readonly TenantSweep[]; readonly everyMs: number; readonly at: number }>;
  /** Of others, against this one. */
  clocks(): Promise<readonly Deviation[]>;
  missingKeys(): Promise<readonly MissingKey[]>;
  certificates(): Promise<readonly Certificate[]>;
  /** Each with the reason. */
  lackingAttributes(): Promise<readonly { readonly name: string; readonly because: string }[]>;
}

/** Everything that conditions are found from, for one audience; the connection reads nothing that is not for it. */
export interface Sources extends Pick<Readings, 'reads' | 'once'> {
  /** Absent for an audience that is limited to a part of the installation. */
  readonly machine?: Machine | undefined;
  readonly isOfCustomers: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** What a condition of the machine alone is found from. */
export interface OfMachine extends Pick<Sources, 'now' | 'timeZone'> {
  readonly machine?: Pick<Machine, 'freeBytes' | 'clocks' | 'certificates'> | undefined;
}

/** Search for one condition: a bounded reading of the store, or of the machine. */
export type Find = (sources: Sources) => Promise<readonly Found[]>;

/** Members that are null or undefined are left out. */
export const listPath = (filter: Readonly<Record<string, string | null | undefined>>): string => {
  const given = Object.entries(filter).filter((it): it is [string, string] => it[1] != null);
  return `/board/subjects?${new URLSearchParams(given)}`;
};
