import { once } from 'node:events';
import { openDependencies } from '../../../src/app/dependencies.ts';
import { startRoles } from '../../../src/app/service.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { openLogger } from '../../../src/observability/logger.ts';

/** Dockline's webhook endpoint alone, on either database, without a dispatcher. */
await using opened = new AsyncDisposableStack();
const config = loadConfig(process.env);
const dependencies = await openDependencies(config, () => {}, opened);
const logger = openLogger(config);
const running = await startRoles({ config, dependencies, logger, onFailure: () => {}, roles: ['webhook'] });
await once(process, 'SIGTERM');
await running.close();
