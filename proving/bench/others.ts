import { startRedis } from './allowed/redis.ts';
import type { ContenderOptions } from './fixture.ts';

/** Integration as the samples write it: a signal and a workflow, without Dockline. */
export const textbook: ContenderOptions = { program: new URL('comparison/textbook.ts', import.meta.url) };

/** The least workflow on Temporal, which is the floor of any integration on this engine. */
export const least: ContenderOptions = { ...textbook, env: { TEXTBOOK_WORKFLOW: 'leastOrder' } };

/** Starts the Redis server of an integration with a queue, until the given stack is closed. */
export const openQueue = async (opened: AsyncDisposableStack): Promise<ContenderOptions> => ({
  program: new URL('allowed/queue.ts', import.meta.url),
  env: { REDIS_PORT: String(await startRedis(opened)) },
});
