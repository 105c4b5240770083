import type { Incident } from '../../domain/health/incident.ts';
import { destinationsWithin, holdsTenant, isWhole } from '../../domain/limit.ts';
import { limitReads, type PermittedReads } from '../../store/limited-reads.ts';
import type { Caller } from '../access.ts';
import type { BoardSources, Sources } from './view.ts';

/** Incidents that somebody sees who is limited, by a connection that reads nothing else. */
export interface LimitedHealth {
  readonly health: {
    within(reads: PermittedReads, isOfCustomers: boolean): { open(): Promise<readonly Incident[]> };
  };
}

/** Part of the board's sources that it shows beside what is stored. */
type Shown = Sources & Partial<Pick<BoardSources, 'tenants' | 'temporalUrl'>> & LimitedHealth;

/** Returns what views read for a caller: what is within the limits of the token, whatever they ask for. */
export function createSourcesOf<All extends Shown>(sources: All): (caller: Caller) => All {
  const limited = new Map<string, All>();
  return (caller) => {
    if (caller.limits === undefined) return sources;
    const known = limited.get(caller.name) ?? limitSources(sources, caller, caller.limits);
    limited.set(caller.name, known);
    return known;
  };
}

function limitSources<All extends Shown>(sources: All, { name }: Caller, limits: NonNullable<Caller['limits']>): All {
  const configured = destinationsWithin(limits, sources.configured);
  // An only account has no id of its own: each within the limits is it.
  const accounts = (tenant: string | undefined) => (tenant === undefined ? limits.map((it) => it.tenant) : [tenant]);
  const isShown = (tenant: string | undefined) => accounts(tenant).some((id) => holdsTenant(limits, id));
  const reads = limitReads(sources.reads, { token: name, limits, configured });
  const isOfCustomers = !limits.every(isWhole);
  return {
    ...sources,
    configured,
    reads,
    incidents: sources.health.within(reads, isOfCustomers).open,
    isOfCustomers,
    ...(sources.tenants && { tenants: sources.tenants.filter(({ id }) => isShown(id)), temporalUrl: undefined }),
  };
}
