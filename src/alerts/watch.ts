import { randomUUID } from 'node:crypto';
import type { Logger } from '../base/logger.ts';
import { createLoop, type Loop } from '../base/loop.ts';
import { destinationState } from '../destinations/tables/destinations.ts';
import { messageOf } from '../domain/errors.ts';
import {
  type Alert,
  advanceAll,
  isHeardBy,
  isWaiting,
  type News,
  newsFor,
  noteNotified,
  type Wishes,
} from '../domain/health/alert.ts';
import type { ConditionName } from '../domain/health/condition.ts';
import { type Incident, nameOf } from '../domain/health/incident.ts';
import type { Limit } from '../domain/permission.ts';
import { backoffMs } from '../domain/retry-policy.ts';
import { destinationName, type IdentityRef } from '../domain/routing.ts';
import type { Health } from '../health/health.ts';
import type { Connections } from '../store/engines/connections.ts';
import { limitReads } from '../store/limited-reads.ts';
import type { Channel } from './channels/kind.ts';
import { composeMessage, sayNews } from './message.ts';
import type { OpenChannels } from './open-channels.ts';
import type { AlertSettings } from './settings.ts';
import type { Alerts, OpenMessage } from './tables/alerts.ts';

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
    clearMs: settings.clearSeconds * 1000,
  };
  return async (stop) => {
    if (!(await alerts.watch(LEASE_MS))) return;
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
    await notifyAll(deps, listeners, known, stop);
  };
}

/** Leaves out notices of channels that do not hear of it any more. */
function withoutOthers(alert: Alert, listeners: readonly Listener[]): Alert {
  const notified = Object.entries(alert.notified).filter(([channel, it]) =>
    listeners.some(({ wishes }) => wishes.name === channel && isHeardBy(wishes.conditions, alert.finding, it)),
  );
  return { ...alert, notified: Object.fromEntries(notified) };
}

function searchFor({ name, limits }: Audience, { health, reads }: Pick<WatchDeps, 'health' | 'reads'>) {
  if (limits === undefined) return health.whole;
  return health.within(limitReads(reads, { token: `alerts of ${name}`, limits }));
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

interface Audience {
  /** Empty for the whole installation. */
  readonly name: string;
  readonly limits: readonly Limit[] | undefined;
}

const everything: Audience = { name: '', limits: undefined };

function audienceOf(tenants: readonly string[], customers: readonly string[]): Audience {
  if (tenants.length === 0) return everything;
  const limits = tenants.flatMap((tenant): Limit[] =>
    customers.length === 0 ? [{ tenant }] : customers.map((customer) => ({ tenant, customer })),
  );
  return { name: limits.map(({ tenant, customer }) => [tenant, customer].filter(Boolean).join(':')).join(','), limits };
}

interface Listener {
  readonly wishes: Wishes;
  readonly audience: Audience;
  readonly channel: Channel;
}

const KEPT_MS = 90 * 86_400_000;

type KnownAlerts = Map<string, readonly Alert[]>;

interface Now {
  readonly known: KnownAlerts;
  readonly now: number;
  readonly isSilenced: (condition: ConditionName) => boolean;
  readonly stop: AbortSignal | undefined;
}

/** A message may come twice if the process ends before it is noted. No channel waits for another; what is under way at a stop has failed. */
async function notifyAll(
  deps: WatchDeps,
  listeners: readonly Listener[],
  known: KnownAlerts,
  stop?: AbortSignal,
): Promise<void> {
  const { alerts } = deps;
  const now = deps.now();
  const silenced = await alerts.silenced();
  const open = new Map((await alerts.openMessages()).map((it) => [it.channel, it]));
  const at: Now = { known, now, isSilenced: (condition) => silenced.has(condition), stop };
  const notified = await Promise.allSettled(listeners.map((it) => notify(it, open.get(it.wishes.name), deps, at)));
  for (const it of notified) if (it.status === 'rejected') throw it.reason;
}

async function notify(
  { wishes, audience, channel }: Listener,
  open: OpenMessage | undefined,
  { alerts, channels, timeZone, logger }: WatchDeps,
  { known, now, isSilenced, stop }: Now,
): Promise<void> {
  const { name } = wishes;
  const news = newsFor(wishes, known.get(audience.name) ?? [], now, isSilenced);
  if (news.length === 0 && open) await alerts.drop(name);
  if (news.length === 0 || (open && isWaiting(open.nextTryAt, now))) return;
  const notified = news.map(toStored);
  // A message with other news than the one before is another one, which a receiver must not take for a repetition.
  const id = open && keyOf(open.news) === keyOf(notified) ? open.id : randomUUID();
  const composed = composeMessage(news, { id, at: now, boardUrl: channels.boardUrl(), timeZone });
  const { attempts, lastError } = open ?? { attempts: 0, lastError: null };
  const message = { id, channel: name, title: composed.title, news: notified, attempts, nextTryAt: now, lastError };
  await alerts.put(message);
  const error = await channel.send(composed, stop).then(() => undefined, messageOf);
  if (error !== undefined) {
    logger.warn({ channel: name, error }, 'a channel for alerts has not confirmed a message');
    const failed = { attempts: attempts + 1, nextTryAt: now + backoffMs('alert', attempts + 1), lastError: error };
    return await alerts.put({ ...message, ...failed });
  }
  // Another channel of this audience may have been notified meanwhile.
  const before = known.get(audience.name) ?? [];
  const after = noteAll(before, news, name, now);
  known.set(audience.name, after);
  await alerts.confirmed(id, audience.name, before, after);
  await alerts.forget(now - KEPT_MS);
}

const toStored = (news: News): OpenMessage['news'][number] => {
  const { condition, place: about } = news.alert.finding;
  return { condition, about, change: news.change, text: sayNews(news) };
};

const keyOf = (news: OpenMessage['news']): string =>
  JSON.stringify(news.map(({ condition, about, change }) => [condition, about, change]));

function noteAll(alerts: readonly Alert[], news: readonly News[], channel: string, now: number): readonly Alert[] {
  const changes = new Map(news.map(({ alert, change }) => [nameOf(alert.finding), change]));
  return alerts.flatMap((alert) => {
    const change = changes.get(nameOf(alert.finding));
    return change ? (noteNotified(alert, change, channel, now) ?? []) : alert;
  });
}
