import type { Logger } from '../base/logger.ts';
import { createLoop, type Loop } from '../base/loop.ts';
import { destinationState } from '../destinations/tables/destinations.ts';
import { type Alert, advanceAll } from '../domain/health/alert.ts';
import type { ConditionName } from '../domain/health/condition.ts';
import { type Incident, nameOf } from '../domain/health/incident.ts';
import { isHeardBy } from '../domain/health/telling.ts';
import type { Health } from '../health/health.ts';
import type { Connections } from '../store/engines/connections.ts';
import { limitReads } from '../store/limited-reads.ts';
import { type Audience, audienceOf, everything, isOfCustomers } from './audience.ts';
import type { OpenChannels } from './open-channels.ts';
import type { AlertSettings } from './settings.ts';
import { type Alerts, changesBetween } from './tables/alerts.ts';
import { type KnownAlerts, type Listener, tellAll } from './tell.ts';

interface WatchDeps {
  readonly settings: AlertSettings;
  readonly channels: OpenChannels;
  readonly alerts: Alerts;
  readonly health: Health;
  readonly reads: Connections['reads'];
  /** IANA name. */
  readonly timeZone: string;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn' | 'info' | 'error'>;
}

const MINUTE_MS = 60_000;

/** Between rounds, and for which one keeps other processes from it. */
const EVERY_MS = 15_000;
const LEASE_MS = 120_000;

/** Looks, and tells until a stop, unless another process does. */
export function createWatch(deps: WatchDeps): (stop?: AbortSignal) => Promise<void> {
  const { settings, channels, alerts, now } = deps;
  const listeners = channels.open.map(({ settings: wishes, channel }): Listener => {
    return { wishes, channel, audience: audienceOf(wishes.tenants, wishes.customers) };
  });
  const audiences = new Map([everything, ...listeners.map(({ audience }) => audience)].map((it) => [it.name, it]));
  const searches = new Map([...audiences.values()].map((it) => [it.name, searchFor(it, deps)]));
  const damping = { holdMs: settings.holdSeconds * 1000, clearMs: settings.clearSeconds * 1000 };
  const telling = { ...deps, listeners, boardUrl: channels.boardUrl };
  return async (stop) => {
    if (!(await alerts.watch(LEASE_MS, settings.awayMinutes * MINUTE_MS))) return;
    const stored = Map.groupBy(await alerts.all(), ({ audience }) => audience);
    const alertsOf = (audience: string) => (stored.get(audience) ?? []).map(({ alert }) => alert);
    const known: KnownAlerts = new Map();
    for (const [name, search] of searches) {
      const before = alertsOf(name).map((it) => withoutOthers(it, name, listeners));
      const found = await search.all();
      const incidents = [...found, ...(await findRemoved(before, found, deps))];
      const isToldNow = isToldAt(now(), settings.failingMinutes * MINUTE_MS);
      known.set(name, advanceAll(before, incidents.filter(isToldNow), now(), damping));
    }
    const names = new Set([...stored.keys(), ...known.keys()]);
    await alerts.save([...names].flatMap((it) => changesBetween(it, alertsOf(it), known.get(it) ?? [])));
    await tellAll(telling, known, now(), stop);
  };
}

/** Without channels that do not hear of it any more. */
function withoutOthers(alert: Alert, audience: string, listeners: readonly Listener[]): Alert {
  const isListening = (channel: string) =>
    listeners.some(
      ({ wishes, audience: { name } }) =>
        name === audience &&
        wishes.name === channel &&
        isHeardBy(wishes.conditions, alert.finding, alert.told[channel]),
    );
  const told = Object.entries(alert.told).filter(([channel]) => isListening(channel));
  return { ...alert, told: Object.fromEntries(told) };
}

/** Told later, since a short time of them is common. */
const patient: readonly ConditionName[] = ['warehouse-failing', 'credential-refused', 'destination-failing'];

const isToldAt =
  (now: number, failingMs: number) =>
  ({ condition, since }: Incident): boolean =>
    !patient.includes(condition) || since > now || since <= now - failingMs;

/** Reads as a token with the same limits. */
function searchFor(audience: Audience, { health, reads }: Pick<WatchDeps, 'health' | 'reads'>) {
  const { name, limits } = audience;
  if (limits === undefined) return health.whole;
  return health.within(limitReads(reads, { token: `alerts of ${name}`, limits }), isOfCustomers(audience));
}

/** Or taken out of the configuration. */
async function findRemoved(
  alerts: readonly Alert[],
  found: readonly Incident[],
  { reads }: Pick<WatchDeps, 'reads'>,
): Promise<readonly Incident[]> {
  const open = alerts.flatMap(({ phase, finding }) => {
    const isGone = found.every((it) => nameOf(it) !== nameOf(finding));
    const { destination } = finding;
    return phase === 'open' && isGone && destination ? [{ finding, destination }] : [];
  });
  if (open.length === 0) return [];
  const known = await destinationState(reads);
  return open
    .filter(({ destination: { tenant, id } }) => !known.some((it) => it.tenant === tenant && it.id === id))
    .map(({ finding, destination: { tenant, name } }) => ({
      ...finding,
      ended: `receiver ${name} of warehouse ${tenant} was removed`,
      isOver: true,
    }));
}

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
