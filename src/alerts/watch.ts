import type { Damping } from '../domain/alerts/alert.ts';
import type { Logger } from '../domain/logger.ts';
import { createLoop, type Loop } from '../domain/loop.ts';
import type { Alerts, Away } from '../store/tables/alerts.ts';
import { type Audience, isOfCustomers } from './audience.ts';
import { openBook } from './book.ts';
import type { Sources } from './conditions/search.ts';
import { findAll } from './find.ts';
import { type TellDeps, tellAll } from './tell.ts';

/** Dependencies of a watch. */
export interface WatchDeps extends TellDeps {
  readonly alerts: Alerts;
  /** Audiences of the listeners, and the whole installation. */
  readonly audiences: readonly Audience[];
  /** Returns what an audience may hear of. */
  readonly sourcesOf: (audience: Audience) => Pick<Sources, 'reads' | 'machine'>;
  readonly damping: Damping;
  readonly failingMs: number;
  /** Time without a look from which on Dockline was away, in milliseconds. */
  readonly awayMs: number;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn' | 'info' | 'error'>;
}

/** Time between two rounds, and for which a process that has begun one keeps others from it, in milliseconds. */
const EVERY_MS = 15_000;
const LEASE_MS = 120_000;

/** Looks once for what is wrong, and tells it until it is to stop, unless another process does. */
export async function watchOnce(deps: WatchDeps, stop?: AbortSignal): Promise<void> {
  const { alerts, audiences, damping, listeners, now } = deps;
  const watch = await alerts.watch(LEASE_MS, deps.awayMs);
  if (!watch) return;
  const book = openBook(await alerts.all());
  book.keep((audience, channel, { finding }) => {
    if (channel === undefined) return audiences.some(({ name }) => name === audience);
    const { conditions } = listeners.find((it) => it.audience === audience && it.wishes.name === channel)?.wishes ?? {};
    return conditions !== undefined && (conditions.length === 0 || conditions.includes(finding.condition));
  });
  for (const audience of audiences) {
    const findings = await findAll(sourcesFor(audience, watch.away, deps), deps.logger);
    book.advance(audience.name, findings, now(), damping);
  }
  await alerts.save(book.changes());
  await tellAll(deps, book, now(), stop);
}

const sourcesFor = (audience: Audience, away: Away | null, { sourcesOf, now, failingMs }: WatchDeps): Sources => ({
  ...sourcesOf(audience),
  byCustomer: isOfCustomers(audience),
  now: now(),
  failingMs,
  away,
});

/** Keeps looking for what is wrong until it is closed. */
export function keepWatch(deps: WatchDeps): Loop {
  const loop = createLoop(async (closing) => {
    await watchOnce(deps, closing).catch((err: unknown) =>
      deps.logger.warn({ err }, 'cannot look for alerts; retrying soon'),
    );
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
