import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { anyText } from '../../support/any-text.ts';
import { SECRET } from './webhook-options.ts';

/** Content of one connection. */
export interface Plan {
  /** Deliveries with a good signature, which are composed with their ids. */
  readonly good: readonly { readonly padding: number; readonly chunks?: number | undefined; readonly header: string }[];
  /** Whatever follows them. */
  readonly odd: readonly Uint8Array[];
  /** Changes of the bytes, at a fraction of their length. */
  readonly mutations: readonly { readonly at: number; readonly removed: number; readonly inserted: Uint8Array }[];
  /** Fractions of the bytes where a pause divides them. */
  readonly pauses: readonly { readonly at: number; readonly ms: number }[];
  readonly ending: 'wait' | 'half-close' | 'reset';
}

const oneOf = <const T>(...values: readonly T[]) => fc.constantFrom(...values);
const seldom = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 8 }, { arbitrary: other, weight: 1 });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const bytes = (maxLength: number) => fc.uint8Array({ maxLength, size: 'max' });
const harmless = fc
  .tuple(fc.stringMatching(/^[A-Za-z][\w-]{0,20}$/), fc.stringMatching(/^[!-~]{0,60}$/))
  .map(([name, value]) => `x-${name}: ${value}`);
const few = { maxLength: 3 };

const good = fc.record({
  padding: seldom(fc.nat(2000), fc.nat(900_000)),
  chunks: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined }),
  header: fc.oneof(harmless, oneOf('expect: 100-continue', 'expect: tea', 'content-encoding: gzip')),
});

const framing = oneOf(
  ...['content-length: 5', 'content-length: -1', 'content-length: 99999999999999999999', 'content-length: 0x10'],
  ...['transfer-encoding: chunked', 'transfer-encoding: gzip, chunked', 'transfer-encoding: identity', 'te: trailers'],
  ...['transfer-encoding : chunked', 'connection: close', 'connection: upgrade', 'upgrade: h2c', 'keep-alive: 9'],
);

/** Chunks, of which the last is seldom the last chunk of a body. */
const chunked = fc
  .array(fc.tuple(oneOf(0, 0, 0, 1, -1), fc.string({ maxLength: 60 }), oneOf('', '', ';a=b', ';"')), { maxLength: 30 })
  .map((chunks) =>
    chunks.map(([wrong, text, extension]) => {
      const size = Math.max(0, Buffer.byteLength(text) + wrong);
      return `${size.toString(16)}${extension}\r\n${text}\r\n`;
    }),
  )
  .map((chunks) => Buffer.from(`${chunks.join('')}0\r\n\r\n`));

/** Request of which something may be wrong. */
const odd = fc
  .record({
    method: seldom(fc.constant('POST'), oneOf('GET', 'PUT', 'OPTIONS', 'PRI', 'CONNECT', 'post', 'BREW', '')),
    path: fc.oneof(
      oneOf('/webhooks/hmac', '/webhooks/rsa', '/webhooks/none', '/health/live', '/health/ready', '*', '/%zz', '//'),
      fc.stringMatching(/^\/[!-~]{0,40}$/),
    ),
    version: seldom(fc.constant('HTTP/1.1'), oneOf('HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1 x', '')),
    headers: fc.array(seldom(fc.oneof(harmless, harmless, harmless, framing), anyText({ maxLength: 40 })), few),
    isFramed: fc.boolean(),
    body: fc.oneof(seldom<Uint8Array>(bytes(300), bytes(70_000)), chunked),
  })
  .map(({ method, path, version, headers, isFramed, body }) => {
    const framed = isFramed ? [`content-length: ${body.length}`, `x-sum: ${'0'.repeat(64)}`, 'signature: YWE='] : [];
    const head = [`${method} ${path} ${version}`, 'host: dockline', ...framed, ...headers];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  });

export const plans: fc.Arbitrary<Plan> = fc.record({
  good: fc.array(good, few),
  odd: fc.array(fc.oneof<fc.Arbitrary<Uint8Array>[]>(odd, odd, odd, bytes(500)), few),
  mutations: seldom<Plan['mutations']>(
    fc.constant([]),
    fc.array(
      fc.record({
        at: fraction,
        removed: seldom(fc.nat(3), fc.nat(2000)),
        inserted: seldom(bytes(3), bytes(20_000)),
      }),
      few,
    ),
  ),
  pauses: fc.array(fc.record({ at: fraction, ms: seldom(fc.nat(20), fc.nat(1500)) }), { maxLength: 6 }),
  ending: oneOf('wait', 'wait', 'half-close', 'reset'),
});

/** Id of a delivery in the store. */
export const eventIdOf = (serial: number, index: number): string => `9104:${serial * 10 + index + 1}`;

/** Composes the bytes of a connection, whose deliveries have ids of their own, each after a pause. */
export function compose(plan: Plan, serial: number) {
  const all = Buffer.concat([
    ...plan.good.map((one, index) => composeGood(one, eventIdOf(serial, index))),
    ...plan.odd,
  ]);
  const text = plan.mutations.reduce((before, { at, removed, inserted }) => {
    const place = Math.floor(at * before.length);
    return Buffer.concat([before.subarray(0, place), inserted, before.subarray(place + removed)]);
  }, all);
  const places = plan.pauses.map(({ at, ms }) => ({ place: Math.floor(at * text.length), ms }));
  const cuts = [{ place: 0, ms: 0 }, ...places.toSorted((a, b) => a.place - b.place)];
  return cuts.map(({ place, ms }, index) => ({ pauseMs: ms, bytes: text.subarray(place, cuts[index + 1]?.place) }));
}

/** Composes a delivery with its signature, in chunks of one size or with its length. */
export function composeGood({ padding, chunks, header }: Plan['good'][number], eventId: string): Buffer {
  const [tplId, wmsEventId] = eventId.split(':').map(Number);
  const event = { tplId, wmsEventId, eventType: 'OrderCreate', data: { OrderId: String(wmsEventId) } };
  const body = Buffer.from(JSON.stringify({ ...event, padding: 'a'.repeat(padding) }));
  const sum = createHmac('sha256', SECRET).update(body).digest('hex');
  const framing = chunks ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
  const head = ['POST /webhooks/hmac HTTP/1.1', 'host: dockline', `x-sum: ${sum}`, framing, header].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), ...(chunks ? chop(body, chunks) : [body])]);
}

/** Divides a body into chunks, which grow if there would be too many small ones. */
function chop(body: Buffer, least: number): Buffer[] {
  const size = Math.max(Math.ceil(body.length / 900), least);
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, n) =>
    body.subarray(n * size, (n + 1) * size),
  );
  const framed = chunks.map((chunk) => Buffer.from(`${chunk.length.toString(16)}\r\n${chunk}\r\n`));
  return [...framed, Buffer.from('0\r\n\r\n')];
}
