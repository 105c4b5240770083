import { expect, it } from 'vitest';
import { describeOnBoth, openIn } from '../../store/databases.ts';

describeOnBoth('resources', (database) => {
  it('keep the newest body, its age and its customer', async () => {
    let time = 1000;
    const { resources } = await openIn(database, { now: () => time });
    await resources.put('9104', 'order', '1', 'old');
    time = 2000;
    await resources.put('9104', 'order', '1', 'new ✓', '418');
    time = 2500;
    expect(await resources.find('9104', 'order', '1')).toEqual({ body: 'new ✓', ageMs: 500, customerId: '418' });
  });

  it('are identified by tenant, kind and id', async () => {
    const { resources } = await openIn(database);
    await resources.put('9104', 'order', '1', 'x');
    expect(await resources.find('9105', 'order', '1')).toBeUndefined();
    expect(await resources.find('9104', 'user', '1')).toBeUndefined();
    expect(await resources.find('9104', 'order', '2')).toBeUndefined();
  });
});
