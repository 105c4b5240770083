import { sql } from 'kysely';
import type { Logger } from '../base/logger.ts';
import { singleFlight } from '../base/loop.ts';
import { messageOf } from '../domain/errors.ts';
import { type ConditionName, factsOf } from '../domain/health/condition.ts';
import { byUrgency, type Incident, nameOf, toIncident } from '../domain/health/incident.ts';
import { createReadings, type PermittedReads, type Readings } from '../store/limited-reads.ts';
import { withAcknowledgements } from './acknowledgements.ts';
import { ofDestinations } from './conditions/destinations.ts';
import { ofQuarantine, ofReconciliation, ofWebhooks } from './conditions/intake.ts';
import { ofMachine } from './conditions/machine.ts';
import { ofOrders } from './conditions/orders.ts';
import { ofWarehouses } from './conditions/warehouses.ts';
import type { Find, Machine, Sources } from './sources.ts';

/** Known from the other searches: one of them fails, or all. */
type Implied = 'unjudged' | 'store-away';

/** Each reads a bounded part of the store. */
const searches: Readonly<Record<Exclude<ConditionName, Implied>, Find>> = {
  ...ofWarehouses,
  ...ofDestinations,
  ...ofQuarantine,
  ...ofOrders,
  ...ofWebhooks,
  ...ofReconciliation,
  ...ofMachine,
};

/** Errors of a program, rather than of what it asks. */
const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Urgent ones first. A condition that cannot be judged is an incident itself. */
async function findIncidents(sources: Sources, logger: Pick<Logger, 'info' | 'error'>): Promise<readonly Incident[]> {
  const { reads, now, machine } = sources;
  try {
    await sql`select 1`.execute(reads);
  } catch (error) {
    return machine ? [toIncident('store-away', { ...storeAway, because: messageOf(error) }, now)] : [];
  }
  const incidents: Incident[] = [];
  for (const [name, find] of Object.entries(searches) as [ConditionName, Find][]) {
    try {
      incidents.push(...(await find(sources)).map((it) => toIncident(name, it, now)));
    } catch (err) {
      // A part that is away may have an incident of its own; a mistake of ours has none.
      const level = MISTAKES.some((kind) => err instanceof kind) ? 'error' : 'info';
      logger[level]({ err, condition: name }, 'cannot find out whether a condition for alerts holds');
      incidents.push(toIncident('unjudged', unjudged(name, err), now));
    }
  }
  return incidents.sort(byUrgency);
}

const storeAway = { title: 'The database does not answer', ended: 'the database answers again' } as const;

const unjudged = (condition: ConditionName, error: unknown) => ({
  place: condition,
  title: `Nobody knows whether this holds: ${factsOf(condition).title}`,
  ended: `it can be judged again whether this holds: ${factsOf(condition).title}`,
  because: messageOf(error),
});

interface HealthDeps extends Pick<Sources, 'timeZone'> {
  readonly readings: Readings;
  readonly machine: Machine;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

const HOLDS_MS = 1000;

export type Health = ReturnType<typeof createHealth>;

export function createHealth({ machine, now, logger, readings, timeZone }: HealthDeps) {
  function share({ reads, once, expire }: Readings, of: Pick<Sources, 'machine'>) {
    const remember = createMemory();
    /** Searches now, also for those that ended for another reason than that all is well. */
    async function all() {
      expire();
      const found = remember(await findIncidents({ ...of, timeZone, reads, once, now: now() }, logger));
      return await withAcknowledgements(reads, found);
    }
    const open = singleFlight(HOLDS_MS, async () => (await all()).filter(({ isOver }) => !isOver));
    return {
      all,
      /** Once for all who ask at a time. */
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
    whole: share(readings, { machine }),
    /** For somebody who is limited to a part of the installation; `reads` sees nothing else. */
    within: (reads: PermittedReads) => share(createReadings(reads, now), {}),
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
