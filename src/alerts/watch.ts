import type { Logger } from '../base/logger.ts';
import { createLoop, type Loop } from '../base/loop.ts';
import type { Damping } from '../domain/health/alert.ts';
import type { ConditionName } from '../domain/health/condition.ts';
import type { Incident } from '../domain/health/incident.ts';
import { isHeardBy } from '../domain/health/telling.ts';
import { openAlertStates } from './alert-states.ts';
import type { Audience } from './audience.ts';
import type { Alerts } from './tables/alerts.ts';
import { type TellDeps, tellAll } from './tell.ts';

export interface WatchDeps extends TellDeps {
  readonly alerts: Alerts;
  /** Audiences of the listeners, and the whole installation. */
  readonly audiences: readonly Audience[];
  /** Finds what is wrong for an audience. */
  readonly find: (audience: Audience) => Promise<readonly Incident[]>;
  readonly damping: Damping;
  /** Time for which a receiver or a warehouse has to fail until people are told, in milliseconds. */
  readonly failingMs: number;
  /** Time without a look from which on Dockline was down, in milliseconds. */
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
  if (!(await alerts.watch(LEASE_MS, deps.awayMs))) return;
  const states = openAlertStates(await alerts.all());
  states.keep((audience, channel, { finding, told }) => {
    if (channel === undefined) return audiences.some(({ name }) => name === audience);
    const { conditions } = listeners.find((it) => it.audience === audience && it.wishes.name === channel)?.wishes ?? {};
    return conditions !== undefined && isHeardBy(conditions, finding, told[channel]);
  });
  for (const audience of audiences) {
    const incidents = await deps.find(audience);
    states.advance(audience.name, incidents.filter(isToldAt(now(), deps)), now(), damping);
  }
  await alerts.save(states.changes());
  await tellAll(deps, states, now(), stop);
}

/** Conditions of which people are told later, since a short time of them is common. */
const patient: readonly ConditionName[] = ['warehouse-failing', 'credential-refused', 'destination-failing'];

const isToldAt =
  (now: number, { failingMs }: Pick<WatchDeps, 'failingMs'>) =>
  ({ condition, since }: Incident): boolean =>
    !patient.includes(condition) || since > now || since <= now - failingMs;

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
