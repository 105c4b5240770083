import { startRedis } from './allowed/redis.ts';
import type { ContenderOptions } from './fixture.ts';
import { startRestate } from './restate/server.ts';

/** Integration as the samples write it: a signal and a workflow, without Dockline. */
export const textbook: ContenderOptions = { program: new URL('comparison/textbook.ts', import.meta.url) };

/** Starts the Redis server of an integration with a queue, until the given stack is closed. */
export const openQueue = async (opened: AsyncDisposableStack): Promise<ContenderOptions> => ({
  program: new URL('allowed/queue.ts', import.meta.url),
  env: { REDIS_PORT: String(await startRedis(opened)) },
});

/** Starts the server of an integration with Restate, until the given stack is closed. */
export async function openRestate(opened: AsyncDisposableStack): Promise<ContenderOptions> {
  const { ingressUrl, adminUrl } = await startRestate(opened);
  return {
    program: new URL('restate/restate.ts', import.meta.url),
    env: { RESTATE_INGRESS_URL: ingressUrl, RESTATE_ADMIN_URL: adminUrl },
  };
}
