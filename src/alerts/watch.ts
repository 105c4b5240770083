import type { Logger } from '../base/logger.ts';
import { createLoop, type Loop } from '../base/loop.ts';
import { destinationState } from '../destinations/tables/destinations.ts';
import { type Alert, advanceAll } from '../domain/health/alert.ts';
import { type Incident, nameOf } from '../domain/health/incident.ts';
import { isHeardBy } from '../domain/health/telling.ts';
import { destinationName, type IdentityRef } from '../domain/routing.ts';
import type { Health } from '../health/health.ts';
import type { Connections } from '../store/engines/connections.ts';
import { limitReads } from '../store/limited-reads.ts';
import type { OpenChannels } from './open-channels.ts';
import type { AlertSettings } from './settings.ts';
import type { Alerts } from './tables/alerts.ts';
import {
  type Audience,
  audienceOf,
  everything,
  isOfCustomers,
  type KnownAlerts,
  type Listener,
  tellAll,
} from './tell.ts';

interface WatchDeps {
  readonly settings: AlertSettings;
  readonly channels: OpenChannels;
  readonly alerts: Alerts;
  readonly health: Health;
  readonly reads: Connections['reads'];
  readonly timeZone: string;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn' | 'info' | 'error'>;
}

const MINUTE_MS = 60_000;

/** Between rounds, and for which one keeps other processes from it. */
const EVERY_MS = 15_000;
const LEASE_MS = 120_000;

export function createWatch(deps: WatchDeps): (stop?: AbortSignal) => Promise<void> {
  const { settings, channels, alerts, now } = deps;
  const listeners = channels.open.map(({ settings: wishes, channel }): Listener => {
    return { wishes, channel, audience: audienceOf(wishes.tenants, wishes.customers) };
  });
  const audiences = [everything, ...listeners.map(({ audience }) => audience)];
  const searches = new Map(audiences.map((it) => [it.name, searchFor(it, deps)]));
  const damping = {
    holdMs: settings.holdSeconds * 1000,
    failingMs: settings.failingMinutes * MINUTE_MS,
    clearMs: settings.clearSeconds * 1000,
  };
  return async (stop) => {
    if (!(await alerts.watch(LEASE_MS, settings.awayMinutes * MINUTE_MS))) return;
    const stored = Map.groupBy(await alerts.all(), ({ audience }) => audience);
    const known: KnownAlerts = new Map();
    for (const [name, search] of searches) {
      const own = listeners.filter(({ audience }) => audience.name === name);
      const before = (stored.get(name) ?? []).map(({ alert }) => withoutOthers(alert, own));
      const found = await search.all();
      const removed = findRemoved(before, found, await search.once(destinationState));
      known.set(name, advanceAll(before, [...found, ...removed], now(), damping));
    }
    for (const name of new Set([...stored.keys(), ...known.keys()])) {
      const before = (stored.get(name) ?? []).map(({ alert }) => alert);
      await alerts.save(name, before, known.get(name) ?? []);
    }
    await tellAll({ ...deps, listeners, boardUrl: channels.boardUrl() }, known, now(), stop);
  };
}

/** Leaves out what channels were told that do not hear of it any more. */
function withoutOthers(alert: Alert, listeners: readonly Listener[]): Alert {
  const told = Object.entries(alert.told).filter(([channel, it]) =>
    listeners.some(({ wishes }) => wishes.name === channel && isHeardBy(wishes.conditions, alert.finding, it)),
  );
  return { ...alert, told: Object.fromEntries(told) };
}

function searchFor(audience: Audience, { health, reads }: Pick<WatchDeps, 'health' | 'reads'>) {
  const { name, limits } = audience;
  if (limits === undefined) return health.whole;
  return health.within(limitReads(reads, { token: `alerts of ${name}`, limits }), isOfCustomers(audience));
}

/** Finds the alerts that have ended since their destinations were removed, or taken out of the configuration. */
const findRemoved = (
  alerts: readonly Alert[],
  found: readonly Incident[],
  destinations: readonly IdentityRef[],
): readonly Incident[] =>
  alerts.flatMap(({ finding }) => {
    const { destination } = finding;
    if (destination === null || found.some((it) => nameOf(it) === nameOf(finding))) return [];
    const { tenant, id } = destination;
    if (destinations.some((it) => it.tenant === tenant && it.id === id)) return [];
    return { ...finding, ended: `${destinationName(destination)} was removed`, isOver: true };
  });

export function keepWatch(deps: WatchDeps): Loop {
  const round = createWatch(deps);
  const loop = createLoop(async (closing) => {
    await round(closing).catch((err: unknown) => deps.logger.warn({ err }, 'cannot look for alerts; retrying soon'));
    return EVERY_MS;
  });
  return {
    ...loop,
    async close() {
      await loop.close();
      await deps.alerts.leave().catch(() => undefined);
    },
  };
}
