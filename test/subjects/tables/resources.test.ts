import { expect, it } from 'vitest';
import { NOBODY } from '../../../src/domain/lifecycle/customers.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';

describeOnBoth('resources', (database) => {
  it('keep the newest body, its age and its customer', async () => {
    let time = 1000;
    const { resources } = await openIn(database, { now: () => time });
    await resources.put('9104', 'order', '1', '{}');
    time = 2000;
    await resources.put('9104', 'order', '1', '{"of":"new ✓"}', '418');
    time = 2500;
    expect(await resources.find('9104', 'order', '1')).toEqual({
      body: '{"of":"new ✓"}',
      ageMs: 500,
      customerId: '418',
    });
  });

  it.each([
    [{}, undefined, null],
    [{}, '418', '418'],
    [{ readOnly: { customerIdentifier: { id: 418 } } }, undefined, '418'],
    [{ ReadOnly: { CustomerId: '418' } }, '418', '418'],
    [{ readOnly: { customerIdentifier: { id: 418 } }, customerId: 77 }, undefined, NOBODY],
    [{ customerId: 77 }, '418', NOBODY],
    [{ _links: { 'rels/customers/customer': { href: '/customers/77' } } }, '418', NOBODY],
  ])('%j, known as of %s, is of %s', async (record, known, owner) => {
    const { resources } = await openIn(database);
    const body = JSON.stringify(record);
    for (const kind of ['order', 'receipt', 'adjustment', 'assembly', 'item', 'stock', 'hold', 'orderItem'] as const) {
      await resources.put('9104', kind, '1', body, known);
      expect([kind, (await resources.find('9104', kind, '1'))?.customerId]).toEqual([kind, owner]);
    }
    for (const shared of ['user', 'customer', 'pickList'] as const) {
      await resources.put('9104', shared, '1', body, known);
      expect((await resources.find('9104', shared, '1'))?.customerId).toBeNull();
    }
  });

  it('are identified by tenant, kind and id', async () => {
    const { resources } = await openIn(database);
    await resources.put('9104', 'order', '1', '{}');
    expect(await resources.find('9105', 'order', '1')).toBeUndefined();
    expect(await resources.find('9104', 'user', '1')).toBeUndefined();
    expect(await resources.find('9104', 'order', '2')).toBeUndefined();
  });
});
