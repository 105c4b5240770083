import type { Incident } from '../../domain/health/incident.ts';
import { holdsTenant, isWhole } from '../../domain/permission.ts';
import { limitReads, type PermittedReads, type Readings } from '../../store/limited-reads.ts';
import { type Caller, identityOf } from '../access.ts';
import type { BoardSources, Sources } from './view.ts';

/** `reads` sees nothing else. */
export interface LimitedHealth {
  readonly health: {
    within(reads: PermittedReads): Pick<Readings, 'once' | 'expire'> & { open(): Promise<readonly Incident[]> };
  };
}

type Shown = Sources & Partial<Pick<BoardSources, 'tenants' | 'temporalUrl'>> & LimitedHealth;

export function createSourcesOf<All extends Shown>(sources: All): (caller: Caller) => All {
  const limited = new Map<string, All>();
  return (caller) => {
    if (caller.limits === undefined) return sources;
    const known = limited.get(caller.name) ?? limitSources(sources, caller, caller.limits);
    limited.set(caller.name, known);
    return known;
  };
}

function limitSources<All extends Shown>(sources: All, caller: Caller, limits: NonNullable<Caller['limits']>): All {
  const reads = limitReads(sources.reads, { token: identityOf(caller), limits });
  const { open: incidents, once, expire } = sources.health.within(reads);
  return {
    ...sources,
    reads,
    incidents,
    once,
    expire,
    isOfCustomers: !limits.every(isWhole),
    ...(sources.tenants && {
      tenants: sources.tenants.filter(({ id }) => holdsTenant(limits, id)),
      temporalUrl: undefined,
    }),
  };
}
