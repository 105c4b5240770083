import { expect, it } from 'vitest';
import { describeOnEither } from '../../store/databases.ts';
import { leaksIn, openWorld } from './world.ts';

describeOnEither('a destination', (database) => {
  it('says how much it would no longer get before its customers are changed', async () => {
    const { add, pause, order, post } = await openWorld(database);
    await add('shop', '77');
    await pause('shop');
    await order(0, '77');
    const change = { url: 'https://shop.test/', customers: ['418'] };
    const answer = await post('/destinations/9104/shop/change', change);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('Waiting and no longer wanted: 2 announcements');
  });

  it('is not told what the receiver of everything answered to the same announcement', async () => {
    const world = await openWorld(database);
    await world.everything();
    await world.order(0, '77');
    await world.announce();
    expect(leaksIn(await world.readAs('77', { beginning: '/announcements', only: 'application/json' }))).toEqual([]);
    expect(
      JSON.stringify(await world.readAs('account', { beginning: '/announcements', only: 'application/json' })),
    ).toContain('only-for-');
  });

  it('whose name is given again gets nothing of a bulk action that was previewed before', async () => {
    const world = await openWorld(database);
    await world.add('shop', '77');
    await world.order(0, '77');
    await world.announce();
    await world.repeat('shop');
    await world.remove('shop');
    await world.add('shop', '77');
    await world.perform();
    const unsent = world.store.db.selectFrom('outbox').select('destination').where('sent_at', 'is', null);
    expect((await unsent.execute()).filter(({ destination }) => destination !== 'default')).toEqual([]);
    await world.announce();
    expect(world.requests.length).toBe(2);
  });

  it('gets what it wants since a change, while a process still holds what it wanted before', async () => {
    const world = await openWorld(database);
    world.keepClients();
    await world.add('shop', '77');
    await world.order(0, '77');
    await world.announce();
    await world.change('shop', '418');
    await world.order(1, '418');
    await world.announce();
    expect(world.received().map(([holder]) => holder)).toEqual(['77', '77', '418', '418']);
  });
});
