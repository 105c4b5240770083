import { randomUUID } from 'node:crypto';
import type { Logger } from '../base/logger.ts';
import { messageOf } from '../domain/errors.ts';
import type { Alert } from '../domain/health/alert.ts';
import type { ConditionName } from '../domain/health/condition.ts';
import { nameOf } from '../domain/health/incident.ts';
import { isWaiting, type News, newsFor, noteTold, type Wishes } from '../domain/health/telling.ts';
import { backoffMs } from '../domain/retry-policy.ts';
import type { Audience } from './audience.ts';
import type { Channel } from './channels/kind.ts';
import { composeMessage, sayNews } from './message.ts';
import { type Alerts, changesBetween, type OpenMessage } from './tables/alerts.ts';

/** With what it wants and whom it belongs to. */
export interface Listener {
  readonly wishes: Wishes;
  readonly audience: Audience;
  readonly channel: Channel;
}

export interface TellDeps {
  readonly alerts: Pick<Alerts, 'openMessages' | 'put' | 'drop' | 'confirmed' | 'forget' | 'silenced'>;
  readonly listeners: readonly Listener[];
  readonly boardUrl: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Attempt {
  readonly listener: Listener;
  readonly news: readonly News[];
  readonly message: OpenMessage;
}

const KEPT_MS = 90 * 86_400_000;

export type KnownAlerts = Map<string, readonly Alert[]>;

/**
 * What is not confirmed is tried again later, with the news of then. A message may come twice if the process ends before it is noted. No
 * channel waits for another; what is under way at a stop has failed.
 */
export async function tellAll(deps: TellDeps, known: KnownAlerts, now: number, stop?: AbortSignal): Promise<void> {
  const attempts = await prepare(deps, known, now);
  const told = await Promise.allSettled([
    ...attempts.map(async (it) => await note(it, await send(it, deps, now, stop), { ...deps, known, now })),
    ...deps.listeners.map(({ channel }) => channel.catchUp?.(now, stop)),
  ]);
  for (const it of told) if (it.status === 'rejected') throw it.reason;
}

async function prepare(
  { alerts, listeners, timeZone }: TellDeps,
  known: KnownAlerts,
  now: number,
): Promise<readonly Attempt[]> {
  const silenced = await alerts.silenced();
  const unconfirmed = await alerts.openMessages();
  const isSilenced = (condition: ConditionName) => silenced.has(condition);
  const attempts: Attempt[] = [];
  for (const listener of listeners) {
    const { name } = listener.wishes;
    const open = unconfirmed.find(({ channel }) => channel === name);
    const news = newsFor(listener.wishes, known.get(listener.audience.name) ?? [], now, isSilenced);
    if (news.length === 0 && open) await alerts.drop(name);
    if (news.length === 0 || (open && isWaiting(open.nextTryAt, now))) continue;
    const message = toMessage(name, news, open, { now, timeZone });
    await alerts.put(message);
    attempts.push({ listener, news, message });
  }
  return attempts;
}

/** Other news make another message, which a receiver must not take for a repetition. */
function toMessage(
  channel: string,
  news: readonly News[],
  open: OpenMessage | undefined,
  { now, timeZone }: Pick<TellDeps, 'timeZone'> & { readonly now: number },
): OpenMessage {
  const told = news.map((it) => {
    const { condition, place: about } = it.alert.finding;
    return { condition, about, change: it.change, text: sayNews(it) };
  });
  const isSame = open !== undefined && keyOf(open.news) === keyOf(told);
  const { id, attempts, lastError } = open ?? { id: '', attempts: 0, lastError: null };
  const title = composeMessage(news, { id, at: now, boardUrl: '', timeZone }).title;
  return { id: isSame ? id : randomUUID(), channel, title, news: told, attempts, nextTryAt: now, lastError };
}

const keyOf = (news: OpenMessage['news']): string =>
  JSON.stringify(news.map(({ condition, about, change }) => [condition, about, change]));

async function send(
  { listener, news, message }: Attempt,
  deps: TellDeps,
  now: number,
  stop: AbortSignal | undefined,
): Promise<string | undefined> {
  const composed = composeMessage(news, { id: message.id, at: now, boardUrl: deps.boardUrl, timeZone: deps.timeZone });
  const { wishes, channel } = listener;
  const error = await channel.send(composed, stop).then(
    () => undefined,
    (failure: unknown) => messageOf(failure),
  );
  if (error !== undefined)
    deps.logger.warn({ channel: wishes.name, error }, 'a channel for alerts has not confirmed a message');
  return error;
}

async function note(
  { listener: { wishes, audience }, news, message }: Attempt,
  error: string | undefined,
  { alerts, known, now }: TellDeps & { readonly known: KnownAlerts; readonly now: number },
): Promise<void> {
  if (error !== undefined) {
    const attempts = message.attempts + 1;
    return await alerts.put({ ...message, attempts, nextTryAt: now + backoffMs('alert', attempts), lastError: error });
  }
  const changes = new Map(news.map(({ alert, change }) => [nameOf(alert.finding), change]));
  const before = known.get(audience.name) ?? [];
  const after = before.flatMap((alert) => {
    const change = changes.get(nameOf(alert.finding));
    return change ? (noteTold(alert, change, wishes.name, now) ?? []) : alert;
  });
  known.set(audience.name, after);
  await alerts.confirmed(message, changesBetween(audience.name, before, after));
  await alerts.forget(now - KEPT_MS);
}
