import { describe, expect, it } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import { reprocessQuarantined } from '../../src/inbox/reprocess.ts';
import { createReader, type Endpoint } from '../../src/ingress/endpoints.ts';
import { waitingKeys } from '../store/recordings.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';

const verify: Endpoint['verify'] = async () => 'authentic';
const shipped = { wmsEventId: 1, eventType: 'OrderShipped', data: { OrderId: '31' } };
const receivedAt = (endpoint: string, message: object) => ({
  endpoint,
  receivedAt: 1,
  body: Buffer.from(JSON.stringify(message)),
});

describe('a quarantined delivery', () => {
  it('is reprocessed by the rules of its endpoint', async () => {
    const store = await openTemporaryStore();
    const { inbox } = store;
    const endpoints = new Map<string, Endpoint>(['9104', '7001'].map((tenant) => [tenant, { verify, tenant }]));
    const before = createReader({
      endpoints: new Map(endpoints).set('old', { verify, tenant: '9104' }),
      aliases: {},
      accepted: async () => ({}),
    });
    const deliveries = [
      receivedAt('9104', shipped),
      receivedAt('7001', shipped),
      receivedAt('7001', { ...shipped, tplId: 9104 }),
      receivedAt('old', { ...shipped, tplId: 9104, wmsEventId: 2 }),
    ];
    await inbox.add(await Array.fromAsync(deliveries, async (it) => await before(it)));

    const read = createReader({ endpoints, aliases: { ordershipped: 'OrderConfirm' }, accepted: async () => ({}) });
    expect(await reprocessQuarantined({ rows: inbox, read })).toBe(2);
    expect(await waitingKeys(store)).toEqual(['order:9104:31', 'order:7001:31']);
    expect(await createSummary(store).quarantined()).toMatchObject([
      { reason: 'the endpoint old no longer exists' },
      { reason: 'names tenant 9104 at the endpoint of 7001' },
    ]);
  });
});
