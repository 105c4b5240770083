import { expect, it } from 'vitest';
import { rememberWeeks } from '../../../sandbox/demonstration/past.ts';
import { forecast, isNotified, learn, type OpenOrder } from '../../../src/domain/deadlines/forecast.ts';
import { readClosed } from '../../../src/subjects/tables/lead-times.ts';
import { recordAs } from '../../store/recordings.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { lifecycleAt, orderOf } from '../../support/make.ts';

it('the weeks before tell that what is not picked half an hour before its truck will miss it', async () => {
  const store = await openTemporaryStore();
  await recordAs(store, orderOf('1'), { lifecycle: lifecycleAt(1, { snapshot: { facilityId: '3' } }) });
  await rememberWeeks(store.db, ['1']);
  const now = Date.now();
  const { rows, share } = await readClosed(store.reads, { kind: 'order', since: now - 28 * 86_400_000, until: now });
  const experience = learn(rows, now, share);
  const notified = (step: OpenOrder['step'], minutes: number) => {
    const order = { tenant: '9104', facility: '3', carrier: 'UPS', dueAt: now + minutes * 60_000, step, since: now };
    return isNotified(forecast(experience, order, { ahead: 5, at: now, changes: 0 })?.changes ?? Number.NaN);
  };
  expect([notified('allocate', 28), notified('pick', 28), notified('ship', 58)]).toEqual([true, true, false]);
  expect(notified('allocate', 300)).toBe(false);
});
