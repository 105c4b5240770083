import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordIn, recordlessForm, thinnerForms } from '../../../src/destinations/announcements/announced-data.ts';
import {
  announcementSchema,
  createAnnouncement,
  createTestAnnouncement,
} from '../../../src/destinations/announcements/cloud-event.ts';
import { anyInput, packed } from './announcements.ts';
import { examples } from './examples.ts';

const formsOf = (input: Parameters<typeof createAnnouncement>[0]) => [...thinnerForms(createAnnouncement(input))];

it('a record is read from an announcement as it was recorded, and nothing else is one', () => {
  const order = '{"total":12345678901234567890.10,"order":{"id":1}}';
  const announcement = createAnnouncement({ ...packed, resources: { order } });
  expect(recordIn(announcement, 'order')).toBe(order);
  for (const name of ['customer', 'receipt', 'snapshot', 'id', 'missing', '__proto__', ''])
    expect(recordIn(announcement, name)).toBeUndefined();
  for (const { body } of thinnerForms(announcement)) expect(recordIn({ body }, 'order')).toBeUndefined();
});

describe('an announcement for a destination that gets advices without records', () => {
  const advice = {
    orderNumber: 'WEB-1',
    shipTo: { name: 'A. Example', phone: '555' },
    lines: [{ sku: 'MUG', lots: [{ lotNumber: 'L1' }] }, { sku: 'TEA' }],
  };
  const changed = ['shipTo.phone', 'lines.0.lots.0.lotNumber', 'lines.1.sku', 'shipTo'];
  const whole = createAnnouncement({
    ...packed,
    resources: { order: '{"shipTo":{"phoneNumber":"555"}}', customer: '{"id":418}' },
    resourceFrom: 'warehouse',
    advice: JSON.stringify(advice),
    changed,
  });
  const sent = (omit?: readonly string[]) => JSON.parse(recordlessForm(whole, { detail: 'advice', omit }).body).data;

  it('has no record, and says where each can be fetched', () => {
    const { leftOut } = recordlessForm(whole, { detail: 'advice' });
    expect(leftOut).toEqual(['order', 'customer']);
    expect(sent()).toMatchObject({ order: null, customer: null, advice, changed, missing: ['order', 'customer'] });
    expect(Object.keys(sent().recordsAt)).toEqual(['order', 'customer']);
  });

  it('has nothing of the members that are omitted, neither in its changes nor to fetch', () => {
    const omit = ['shipTo.phone', 'lines.lots'];
    const data = sent(omit);
    expect(data.advice).toEqual({
      orderNumber: 'WEB-1',
      shipTo: { name: 'A. Example' },
      lines: [{ sku: 'MUG' }, { sku: 'TEA' }],
    });
    expect(data.changed).toEqual(['lines.1.sku', 'shipTo']);
    expect(data).not.toHaveProperty('recordsAt');
    expect(announcementSchema.shape.data.safeParse(data).error).toBeUndefined();
    expect(sent(['shipTo']).changed).toEqual(['lines.0.lots.0.lotNumber', 'lines.1.sku']);
  });
});

describe('an announcement that is too large', () => {
  const resources = {
    order: '{"total":12345678901234567890.10,"notes":"a \\"quote\\", {[,:]} and \\\\"}',
    customer: '{"id":418}',
    pickList: '[1, 2]',
  };
  const whole = createAnnouncement({ ...packed, resources, resourceFrom: 'warehouse', missing: ['user'] });
  const [one, , none] = thinnerForms(whole);

  it('goes out without its largest record, and says where that is', () => {
    expect(one?.leftOut).toEqual(['order']);
    const { data, ...attributes } = JSON.parse(one?.body ?? '');
    const { data: recorded, ...recordedAttributes } = JSON.parse(whole.body);
    expect(attributes).toEqual(recordedAttributes);
    expect(data).toEqual({
      ...recorded,
      order: null,
      resourceFrom: null,
      missing: ['user', 'order'],
      recordsAt: { order: '/records/order:9104:31004581/3/packed/order' },
      wholeAt: '/announcements/order:9104:31004581/3/packed',
    });
  });

  it('goes out without any record if that is too large, too, as to a thin destination', () => {
    expect(recordlessForm(whole, { detail: 'thin' })).toEqual(none);
    expect(none?.leftOut).toEqual(['order', 'customer', 'pickList']);
    expect(JSON.parse(none?.body ?? '').data).toMatchObject({
      order: null,
      customer: null,
      user: null,
      pickList: null,
      resourceFrom: null,
      missing: ['user', 'order', 'customer', 'pickList'],
      stage: 'packed',
    });
  });

  it('keeps the text of what stays, digit by digit', () => {
    const customer = '{"balance":12345678901234567890.10,"name":"\\u0041 \\/ é"}';
    const [form] = formsOf({ ...packed, resources: { order: `{"note":"${'x'.repeat(100)}"}`, customer } });
    expect(form?.body).toContain(`"customer":${customer},`);
  });

  it('has a thinner form for each record, and none if it has none', () => {
    expect(formsOf({ ...packed, resources: { order: '{}' } }).map(({ leftOut }) => leftOut)).toEqual([['order']]);
    expect(formsOf({ ...packed, resources: { customer: '{}' } }).map(({ leftOut }) => leftOut)).toEqual([['customer']]);
    expect(formsOf(packed)).toEqual([]);
    expect(recordlessForm(createAnnouncement(packed), { detail: 'thin' })).toEqual(createAnnouncement(packed));
    expect([...thinnerForms(createTestAnnouncement('9104'))]).toEqual([]);
  });

  it('names an address for any id', () => {
    const subject = { ...packed.subject, id: 'a b?#%\ud800' };
    const [form] = formsOf({ ...packed, subject, resources: { order: '{}' } });
    const { recordsAt, wholeAt } = JSON.parse(form?.body ?? '').data;
    expect(wholeAt).toBe('/announcements/order:9104:a%20b%3F%23%25%EF%BF%BD/3/packed');
    expect(recordsAt).toEqual({ order: '/records/order:9104:a%20b%3F%23%25%EF%BF%BD/3/packed/order' });
  });

  it.each(examples.map((input) => [createAnnouncement(input).id, input] as const))(
    'meets the contract in every form: %s',
    (_, input) => {
      for (const { body } of formsOf(input)) {
        const announcement = JSON.parse(body);
        expect(announcementSchema.parse(announcement)).toEqual(announcement);
      }
    },
  );

  it('lacks nothing but what is left out, whatever it contains', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { data: recorded, ...attributes } = JSON.parse(createAnnouncement(input).body);
        for (const { body, leftOut = [] } of formsOf(input)) {
          const { data, ...sent } = JSON.parse(body);
          const gone = Object.fromEntries(leftOut.map((name) => [name, null]));
          const missing = [...new Set([...(recorded.missing ?? []), ...leftOut])];
          expect(sent).toEqual(attributes);
          expect(data).toEqual({
            ...recorded,
            ...gone,
            resourceFrom: leftOut.some((name) => name !== 'customer' && name !== 'user' && name !== 'pickList')
              ? null
              : recorded.resourceFrom,
            missing,
            recordsAt: Object.fromEntries(leftOut.map((name) => [name, expect.stringMatching(/^\/records\/\S+$/)])),
            wholeAt: expect.stringMatching(/^\/announcements\/\S+$/),
          });
        }
      }),
    );
  });
});
