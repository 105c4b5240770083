import { expect, it } from 'vitest';
import { describeOnEither } from '../../store/databases.ts';
import { openWorld, secretOf } from './world.ts';

type World = Awaited<ReturnType<typeof openWorld>>;

/** Returns the revisions that each announcement followed on, from a request on. */
const previous = (world: World, from = 0) =>
  world
    .received()
    .slice(from)
    .map(([customer, text]) => `${customer} ${/"previous":(\w+)/.exec(text)?.[1]}`);

describeOnEither('a destination that is renamed', (database) => {
  it('gets what waits for it, also what waited while it was paused', async () => {
    const world = await openWorld(database);
    await world.add('shop', '77');
    await world.order(0, '77');
    await world.announce();
    await world.pause('shop');
    await world.order(0, '77');
    expect(await world.rename('shop', 'hub')).toBe(200);
    await world.announce();
    expect(world.requests.length).toBe(2);
    await world.resume('hub');
    await world.announce();
    expect(previous(world)).toEqual(['77 null', '77 1', '77 2']);
  });

  it('gets what a bulk action sends it again that was previewed before', async () => {
    const world = await openWorld(database);
    await world.add('shop', '77');
    await world.order(0, '77');
    await world.announce();
    await world.repeat('shop');
    await world.rename('shop', 'hub');
    await world.add('shop', '418');
    await world.perform();
    await world.announce();
    expect(world.received().map(([customer]) => customer)).toEqual(['77', '77', '77', '77']);
  });

  it('still reads what it got, and whoever is given its name nothing of that', async () => {
    const world = await openWorld(database);
    await world.add('shop', '77');
    await world.pause('shop');
    await world.order(0, '77');
    await world.rename('shop', 'hub');
    await world.add('shop', '77');
    expect((await world.fetched()).length).toBe(2);
    await world.remove('hub');
    expect(await world.fetched()).toEqual([]);
    await world.announce();
    expect(world.requests).toEqual([]);
  });

  it('is somebody else than whoever is given its name, while a process holds it open', async () => {
    const world = await openWorld(database);
    world.keepClients();
    await world.add('shop', '77');
    await world.order(0, '77');
    await world.announce();
    await world.rename('shop', 'hub');
    await world.add('shop', '418');
    await world.order(0, '77');
    await world.order(1, '418');
    await world.announce();
    expect(previous(world).toSorted()).toEqual(['418 1', '418 null', '77 1', '77 2', '77 null'].toSorted());
    expect(world.received().filter(([, text]) => text.includes(secretOf('418')))).toHaveLength(2);
  });

  it('is given a name that two ask for at once, or the other is', async () => {
    const world = await openWorld(database);
    await world.add('shop', '77');
    await world.add('hub', '418');
    expect((await Promise.all(['shop', 'hub'].map((name) => world.rename(name, 'mart')))).toSorted()).toEqual([
      200, 409,
    ]);
  });
});
