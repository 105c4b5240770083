import { createServer, type ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { secret } from '../destinations/announcements/announcements.ts';
import { listen } from '../support/listen.ts';
import { destinationOf } from '../support/make.ts';
import { startSystem } from '../support/system.ts';

/** Opens a destination that answers when it is told to. */
async function openSlowDestination() {
  const posts: ServerResponse[] = [];
  const port = await listen(createServer((_, response) => void posts.push(response)));
  return {
    posts,
    destination: destinationOf({
      url: `http://127.0.0.1:${port}/`,
      secret: [secret],
    }),
  };
}

it('an announcement whose answer comes while the service stops is not sent again', async () => {
  const { posts, destination } = await openSlowDestination();
  const { simulator, restart, view } = await startSystem({
    tenants: [{ settings: { destinations: [destination] } }],
  });
  // It needs no GET, so that it is announced inline however slow the machine is.
  const id = simulator.create('hold');
  await simulator.emit(id, 'InventoryPlaceOnHold');
  await expect.poll(() => posts.length).toBe(1);
  const postedAt = performance.now();
  const restarted = restart();
  // Its workflow waits for it no longer: an inline attempt has a second, and leaves no trace of having had it.
  await expect.poll(() => performance.now() - postedAt).toBeGreaterThan(1500);
  posts[0]?.writeHead(204).end();
  await restarted;
  await expect.poll(async () => (await view(id, 'hold')).waiting.announcements).toBe(0);
  expect(posts).toHaveLength(1);
});
