import { randomUUID } from 'node:crypto';
import type { Logger } from '../base/logger.ts';
import { messageOf } from '../domain/errors.ts';
import type { Alert } from '../domain/health/alert.ts';
import type { ConditionName } from '../domain/health/condition.ts';
import { nameOf } from '../domain/health/incident.ts';
import { isWaiting, type News, newsFor, noteTold, type Wishes } from '../domain/health/telling.ts';
import { isWhole, type Limit } from '../domain/limit.ts';
import { backoffMs } from '../domain/retry-policy.ts';
import type { Channel } from './channels/kind.ts';
import { composeMessage, sayNews } from './message.ts';
import type { Alerts, OpenMessage } from './tables/alerts.ts';

export interface Audience {
  /** Empty for the whole installation. */
  readonly name: string;
  readonly limits: readonly Limit[] | undefined;
}

export const everything: Audience = { name: '', limits: undefined };

export function audienceOf(tenants: readonly string[], customers: readonly string[]): Audience {
  if (tenants.length === 0) return everything;
  const limits = tenants.flatMap((tenant): Limit[] =>
    customers.length === 0 ? [{ tenant }] : customers.map((customer) => ({ tenant, customer })),
  );
  return { name: limits.map(({ tenant, customer }) => [tenant, customer].filter(Boolean).join(':')).join(','), limits };
}

export const isOfCustomers = ({ limits }: Audience): boolean => limits !== undefined && !limits.every(isWhole);

export interface Listener {
  readonly wishes: Wishes;
  readonly audience: Audience;
  readonly channel: Channel;
}

interface TellDeps {
  readonly alerts: Pick<Alerts, 'openMessages' | 'put' | 'drop' | 'confirmed' | 'forget' | 'silenced'>;
  readonly listeners: readonly Listener[];
  readonly boardUrl: string;
  readonly timeZone: string;
  readonly logger: Pick<Logger, 'warn'>;
}

const KEPT_MS = 90 * 86_400_000;

export type KnownAlerts = Map<string, readonly Alert[]>;

interface Now {
  readonly known: KnownAlerts;
  readonly now: number;
  readonly isSilenced: (condition: ConditionName) => boolean;
  readonly stop: AbortSignal | undefined;
}

/** A message may come twice if the process ends before it is noted. No channel waits for another; what is under way at a stop has failed. */
export async function tellAll(deps: TellDeps, known: KnownAlerts, now: number, stop?: AbortSignal): Promise<void> {
  const { alerts, listeners } = deps;
  const silenced = await alerts.silenced();
  const open = new Map((await alerts.openMessages()).map((it) => [it.channel, it]));
  const at: Now = { known, now, isSilenced: (condition) => silenced.has(condition), stop };
  const told = await Promise.allSettled([
    ...listeners.map((it) => tell(it, open.get(it.wishes.name), deps, at)),
    ...listeners.map(({ channel }) => channel.catchUp?.(now, stop)),
  ]);
  for (const it of told) if (it.status === 'rejected') throw it.reason;
}

async function tell(
  { wishes, audience, channel }: Listener,
  open: OpenMessage | undefined,
  { alerts, boardUrl, timeZone, logger }: TellDeps,
  { known, now, isSilenced, stop }: Now,
): Promise<void> {
  const { name } = wishes;
  const news = newsFor(wishes, known.get(audience.name) ?? [], now, isSilenced);
  if (news.length === 0 && open) await alerts.drop(name);
  if (news.length === 0 || (open && isWaiting(open.nextTryAt, now))) return;
  const told = news.map(toStored);
  // A message with other news than the one before is another one, which a receiver must not take for a repetition.
  const id = open && keyOf(open.news) === keyOf(told) ? open.id : randomUUID();
  const composed = composeMessage(news, { id, at: now, boardUrl, timeZone });
  const { attempts, lastError } = open ?? { attempts: 0, lastError: null };
  const message = { id, channel: name, title: composed.title, news: told, attempts, nextTryAt: now, lastError };
  await alerts.put(message);
  const error = await channel.send(composed, stop).then(() => undefined, messageOf);
  if (error !== undefined) {
    logger.warn({ channel: name, error }, 'a channel for alerts has not confirmed a message');
    const failed = { attempts: attempts + 1, nextTryAt: now + backoffMs('alert', attempts + 1), lastError: error };
    return await alerts.put({ ...message, ...failed });
  }
  // Another channel of this audience may have been told meanwhile.
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
    return change ? (noteTold(alert, change, channel, now) ?? []) : alert;
  });
}
