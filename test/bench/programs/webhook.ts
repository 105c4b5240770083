import { openDependencies } from '../../../src/app/dependencies.ts';
import { startRoles } from '../../../src/app/service.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { openLogger } from '../../../src/observability/pino-logger.ts';
import { stopped } from './settings.ts';

/** Dockline's webhook alone, on either database: it takes in and dispatches nothing. */
await using opened = new AsyncDisposableStack();
const config = loadConfig(process.env);
const dependencies = await openDependencies(config, () => {}, opened);
const running = await startRoles({
  config,
  dependencies,
  logger: openLogger(config),
  onFailure: () => {},
  roles: ['webhook'],
});
await stopped();
await running.close();
