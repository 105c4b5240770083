import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { createLookup, type FindAddresses } from '../../src/http/lookup.ts';

const FOUND = [{ address: '192.0.2.1', family: 4 }];

/** Starts a name server that knows no name, and is silent about those with `silent` in them. */
async function startNameServer(): Promise<string> {
  const socket = createSocket('udp4', (query, { port }) => {
    if (query.includes('silent')) return;
    const answer = Buffer.from(query);
    answer[2] = 0x81;
    answer[3] = 0x83;
    socket.send(answer, port, '127.0.0.1');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** Opens look-ups over those of a system that has two threads, and asks the same name server without end. */
async function open() {
  const server = await startNameServer();
  const asked: string[] = [];
  const find: FindAddresses = async (name) => {
    asked.push(name);
    if (name.includes('silent') || asked.filter((it) => it.includes('silent')).length > 1)
      await new Promise(() => undefined);
    return FOUND;
  };
  const createResolver = () => {
    const resolver = new Resolver({ timeout: 500, tries: 2 });
    resolver.setServers([server]);
    return resolver;
  };
  return { asked, find: createLookup({ find, createResolver }) };
}

it('finds names while nobody answers for some others, which take one thread together', async () => {
  const { asked, find } = await open();
  const silent = [1, 2, 3].map((number) => find(`silent-${number}.test`));
  const ends = Promise.allSettled(silent);
  await expect.poll(() => asked).toHaveLength(1);
  expect(await find('other.test')).toEqual(FOUND);
  expect(await ends).toEqual(
    silent.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'EAI_AGAIN' }) })),
  );
  expect(await find('another.test')).toEqual(FOUND);
  // One of the silent, whichever waited first.
  expect(asked).toEqual([expect.stringMatching(/^silent-[123]\.test$/), 'other.test', 'another.test']);
});

it('asks once for all who want a name at the time, or soon after', async () => {
  const { asked, find } = await open();
  await Promise.all([find('other.test'), find('other.test')]);
  await find('other.test');
  expect(asked).toEqual(['other.test']);
});
