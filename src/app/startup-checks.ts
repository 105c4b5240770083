import { type Checking, runChecks } from './doctor/run-checks.ts';
import type { ServiceOptions } from './service-options.ts';

/**
 * Checks of `dockline doctor` that nothing else makes while a worker runs, once and in the background; health finds the others. Sends no
 * test announcement.
 */
export function checkAtStart({
  config,
  logger,
  paceOf,
}: Pick<ServiceOptions, 'config' | 'logger'> & Pick<Checking, 'paceOf'>) {
  const stop = new AbortController();
  const { tenants } = config;
  const finished = runChecks({ config, tenants, areas: ['warehouse', 'temporal'], paceOf, stop: stop.signal }).then(
    (checks) => {
      for (const { verdict, ...check } of checks)
        if (verdict === 'warning' || verdict === 'failed')
          logger.warn({ verdict, ...check }, 'a check found a problem');
    },
  );
  return {
    async close() {
      stop.abort();
      await finished.catch(() => undefined);
    },
  };
}
