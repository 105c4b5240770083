import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readFacts } from '../../../src/domain/catalogue/record-facts.ts';
import { readId } from '../../../src/domain/wire-values.ts';
import { parseDelivery } from '../../../src/ingress/message/delivery.ts';
import { readPayload } from '../../../src/ingress/message/parts.ts';

/** Messages with a text of somebody else's at each place where one is read. */
const places: Readonly<Record<string, (text: string) => object>> = {
  wmsEventId: (text) => ({ wmsEventId: text }),
  tplId: (text) => ({ tplId: text }),
  eventType: (text) => ({ eventType: text }),
  time: (text) => ({ eventDatetimeUtc: text }),
  rel: (text) => ({ resource: { rel: text } }),
  href: (text) => ({ resource: { href: text } }),
  body: (text) => ({ resource: { body: text } }),
  record: (text) => ({
    resource: { body: { readOnly: { orderId: text }, poNum: text, referenceNum: text, status: text } },
  }),
  links: (text) => ({ links: { 'customers/customer': text, user: { LastModifiedBy: text } } }),
  data: (text) => ({ data: text }),
  key: (text) => ({ [text]: 1 }),
};

const piece = fc.constantFrom(
  ...'a1 \\"/:{}[],.-_%&?#=\n\t(',
  'é',
  '\u200b',
  '9.',
  '/orders/',
  '{"a":',
  '\\u0041',
  'Date(',
  'T00:',
  'orderid',
);
const texts = fc.tuple(
  fc.string({ unit: piece, maxLength: 3 }),
  fc.string({ unit: piece, minLength: 1, maxLength: 2 }),
  fc.string({ unit: piece, maxLength: 3 }),
);

const LENGTH = 2000;

it('a text that is ten times as long takes about ten times as long to read, wherever it stands', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(places)), texts, (place, [start, unit, end]) => {
      const message = (length: number) => {
        const text = start + unit.repeat(length / unit.length) + end;
        const given = {
          tplId: 9104,
          wmsEventId: 1,
          eventType: 'OrderConfirm',
          resource: { body: { orderId: 7 } },
          ...places[place]?.(text),
        };
        return { text, raw: Buffer.from(JSON.stringify(given)) };
      };
      const [short, long] = [message(LENGTH), message(10 * LENGTH)];
      expect(costOf(long)).toBeLessThan(15 * Math.max(costOf(short), LEAST_US));
    }),
    { numRuns: 400, seed: 75, examples: [['wmsEventId', ['(a', ' ', '1']]] },
  );
});

/** Microseconds of a thread below which what else it does, such as collecting garbage, weighs more. */
const LEAST_US = 2000;

/** Returns the shortest time, in microseconds of the processor, that reading a message takes; others that run beside it do not count. */
function costOf({ raw, text }: { readonly raw: Buffer; readonly text: string }): number {
  const costs = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    parseDelivery({ raw, receivedAt: 0, defaultTenant: '1' });
    readPayload(raw);
    readFacts('order', { poNum: text, packages: [{ trackingNumber: text }] });
    readId(text);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  });
  return Math.min(...costs);
}
