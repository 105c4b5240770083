import type { Logger } from '../base/logger.ts';
import { singleFlight } from '../base/single-flight.ts';
import { type Incident, nameOf } from '../domain/health/incident.ts';
import type { PermittedReads } from '../store/limited-reads.ts';
import { findIncidents } from './find.ts';
import type { Machine, Sources } from './sources.ts';

/** Everything that incidents are found from. */
interface HealthDeps extends Pick<Sources, 'reads' | 'timeZone'> {
  readonly machine: Machine;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/** Reading of incidents. */
interface Reading {
  /** Returns those that are open, once for all who ask at a time. */
  open(): Promise<readonly Incident[]>;
  /** Searches now, also for those that have ended for another reason than that all is well again. */
  all(): Promise<readonly Incident[]>;
}

/** Incidents, for everything that shows what is wrong. */
export interface Health {
  /** Those of the installation. */
  readonly whole: Reading;
  /** Returns those that somebody sees who is limited to a part of the installation, by a connection that reads nothing else. */
  within(reads: PermittedReads, isOfCustomers: boolean): Reading;
}

/** Time for which incidents hold, in milliseconds. */
const HOLDS_MS = 1000;

export function createHealth({ machine, now, logger, ...rest }: HealthDeps): Health {
  function share(sources: Omit<Sources, 'now'>): Reading {
    const remember = createMemory();
    const all = async () => remember(await findIncidents({ ...sources, now: now() }, logger));
    const open = async () => (await all()).filter(({ isOver }) => !isOver);
    return { all, open: singleFlight(HOLDS_MS, open).read };
  }
  return {
    whole: share({ ...rest, machine, isOfCustomers: false }),
    within: (reads, isOfCustomers) => share({ ...rest, reads, isOfCustomers }),
  };
}

/** Creates a function that keeps the earliest beginning of each incident while it lasts: some begin when they are noticed. */
function createMemory(): (found: readonly Incident[]) => readonly Incident[] {
  let known = new Map<string, number>();
  return (found) => {
    const incidents = found.map((it) => ({ ...it, since: Math.min(it.since, known.get(nameOf(it)) ?? it.since) }));
    known = new Map(incidents.map((it) => [nameOf(it), it.since]));
    return incidents;
  };
}
