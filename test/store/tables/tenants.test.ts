import { expect, it } from 'vitest';
import { unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { saveSubject } from '../../activities/deps.ts';
import { describeOnBoth, openIn } from '../databases.ts';

describeOnBoth('the tenants of stored subjects', (database) => {
  it('are none, the only one, or the lowest and the highest of several', async () => {
    const store = await openIn(database);
    const known = async (tenant: string) => {
      await saveSubject(store, { tenant, kind: 'order', id: '1' }, unknownLifecycle);
      return store.tenants();
    };
    expect(await store.tenants()).toEqual([]);
    // The tenant of messages that name none.
    expect(await known('default')).toEqual([]);
    expect(await known('9104')).toEqual(['9104']);
    expect(await known('7001')).toEqual(['7001', '9104']);
    expect(await known('8000')).toEqual(['7001', '9104']);
  });
});
