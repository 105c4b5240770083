import { openLogger } from '../../bin/logger.ts';
import { openPlaces } from '../../bin/places.ts';
import { startRoles } from '../../bin/service.ts';
import { loadConfig } from '../../config.ts';
import { stopped } from './settings.ts';

/** Dockline's webhook alone, on either database: it takes in and dispatches nothing. */
await using opened = new AsyncDisposableStack();
// biome-ignore lint/style/noProcessEnv: a program of its own
const config = loadConfig(process.env);
const places = await openPlaces(config, () => {}, opened);
const running = await startRoles({
  config,
  places,
  logger: openLogger(config),
  onFailure: () => {},
  roles: ['webhook'],
});
await stopped();
await running.close();
