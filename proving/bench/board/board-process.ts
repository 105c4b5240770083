import { once } from 'node:events';
import { join } from 'node:path';
import { openDependencies } from '../../../sandbox/dependencies.ts';
import { startRoles } from '../../../src/app/service.ts';
import { openStore } from '../../../src/app/store.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { openLogger } from '../../../src/observability/logger.ts';
import { seed } from './seed.ts';

/** Dockline's webhook endpoint and board in one process, on a store with `BENCH_SUBJECTS` subjects. */
await using opened = new AsyncDisposableStack();
const { BENCH_SUBJECTS, ...env } = process.env;
const config = loadConfig(env);
const { DATABASE_URL: url, DATA_FOLDER } = config;
const store = await openStore(url ? { url } : { file: join(DATA_FOLDER, 'dockline.db') });
await seed(store.db, Number(BENCH_SUBJECTS));
await store.close();
const dependencies = await openDependencies(config, () => {}, opened);
const logger = openLogger(config);
const running = await startRoles({ config, dependencies, logger, onFailure: () => {}, roles: ['webhook', 'admin'] });
await once(process, 'SIGTERM');
await running.close();
