import type { Logger } from '../base/logger.ts';
import { singleFlight } from '../base/single-flight.ts';
import { type Incident, nameOf } from '../domain/health/incident.ts';
import type { PermittedReads } from '../store/limited-reads.ts';
import { createReadings, type Readings } from '../store/readings.ts';
import { withAcknowledgements } from './acknowledgements.ts';
import { findIncidents } from './find.ts';
import type { Machine, Sources } from './sources.ts';

interface HealthDeps extends Pick<Sources, 'timeZone'> {
  readonly readings: Readings;
  readonly machine: Machine;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

interface Search extends Pick<Readings, 'once' | 'expire'> {
  /** Open ones, once for all who ask at a time. */
  open(): Promise<readonly Incident[]>;
  /** Searches now, also for those that ended for another reason than that all is well. */
  all(): Promise<readonly Incident[]>;
}

export interface Health {
  readonly machine: Machine;
  readonly whole: Search;
  /** For somebody who is limited to a part of the installation; `reads` sees nothing else. */
  within(reads: PermittedReads, isOfCustomers: boolean): Search;
}

const HOLDS_MS = 1000;

export function createHealth({ machine, now, logger, readings, timeZone }: HealthDeps): Health {
  function share({ reads, once, expire }: Readings, of: Pick<Sources, 'machine' | 'isOfCustomers'>): Search {
    const remember = createMemory();
    async function all() {
      expire();
      const found = remember(await findIncidents({ ...of, timeZone, reads, once, now: now() }, logger));
      return await withAcknowledgements(reads, found);
    }
    const open = singleFlight(HOLDS_MS, async () => (await all()).filter(({ isOver }) => !isOver));
    return {
      all,
      open: open.read,
      once,
      expire() {
        open.expire();
        expire();
      },
    };
  }
  return {
    machine,
    whole: share(readings, { machine, isOfCustomers: false }),
    within: (reads, isOfCustomers) => share(createReadings(reads, now), { isOfCustomers }),
  };
}

/** Keeps the earliest beginning of each incident while it lasts: some begin when they are noticed. */
function createMemory(): (found: readonly Incident[]) => readonly Incident[] {
  let known = new Map<string, number>();
  return (found) => {
    const incidents = found.map((it) => ({ ...it, since: Math.min(it.since, known.get(nameOf(it)) ?? it.since) }));
    known = new Map(incidents.map((it) => [nameOf(it), it.since]));
    return incidents;
  };
}
