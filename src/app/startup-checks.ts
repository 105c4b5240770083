import { type Area, type Checking, runChecks } from './doctor/run-checks.ts';
import type { Role, ServiceOptions } from './service-options.ts';

/** Areas that a role depends on. The store, its disk and the ports are open already, and no test announcement is sent. */
const areasOf: Readonly<Record<Role, readonly Area[]>> = {
  webhook: ['webhook', 'disk'],
  dispatcher: [],
  worker: ['warehouse', 'clock', 'temporal'],
  admin: [],
};

/**
 * Makes the checks of `dockline doctor` once, in the background, and logs what is not as it should be. An embedded warehouse is not
 * checked.
 */
export function checkAtStart({
  config,
  roles,
  logger,
  paceOf,
}: Pick<ServiceOptions, 'config' | 'logger'> & Pick<Checking, 'paceOf'> & { readonly roles: readonly Role[] }) {
  const stop = new AbortController();
  const areas = [...new Set(roles.flatMap((role) => areasOf[role]))];
  const finished = logProblems();

  async function logProblems(): Promise<void> {
    const checks = await runChecks({ config, tenants: config.tenants, areas, paceOf, stop: stop.signal });
    for (const { verdict, ...check } of checks) {
      if (verdict === 'warning' || verdict === 'failed') logger.warn({ verdict, ...check }, 'a check found a problem');
    }
  }

  return {
    /** Ends the checks that are not finished. */
    async close() {
      stop.abort();
      await finished.catch(() => undefined);
    },
  };
}
