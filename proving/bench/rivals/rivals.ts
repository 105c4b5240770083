import type { ContenderOptions } from '../fixture.ts';
import { startRedis } from './redis.ts';

/** The least workflow on Temporal. */
export const least: ContenderOptions = { program: new URL('least.ts', import.meta.url) };

/** Starts the Redis server of an integration with a queue, until the given stack is closed. */
export const openQueue = async (opened: AsyncDisposableStack): Promise<ContenderOptions> => ({
  program: new URL('queue.ts', import.meta.url),
  env: { REDIS_PORT: String(await startRedis(opened)) },
});
