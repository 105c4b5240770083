import fc from 'fast-check';
import { anyText } from '../../support/any-text.ts';

/** Delivery with a good signature, as some client might frame it. */
export interface GoodRequest {
  readonly endpoint: 'hmac' | 'rsa';
  /** Bytes of padding in its body. */
  readonly padding: number;
  /** Sizes of its chunks, repeated; undefined for a body with a length. */
  readonly chunks: readonly number[] | undefined;
  readonly headers: readonly string[];
}

/** Request of which something may be wrong. */
export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly version: string;
  readonly headers: readonly string[];
  /** Says that it has the length of its body and a forged signature. */
  readonly isFramed: boolean;
  readonly body: Uint8Array;
}

/** Change of the bytes of a connection, at a fraction of their length. */
export interface Mutation {
  readonly at: number;
  readonly removed: number;
  readonly inserted: Uint8Array;
}

/** Content of one connection: good deliveries, then whatever else, in fragments. */
export interface Plan {
  readonly good: readonly GoodRequest[];
  readonly odd: readonly (OddRequest | Uint8Array)[];
  readonly mutations: readonly Mutation[];
  /** Fractions of the bytes where a pause divides them, each with its length in milliseconds. */
  readonly pauses: readonly { readonly at: number; readonly ms: number }[];
  /** End of the connection once everything is sent: waiting for the server, half-closing, or a reset. */
  readonly ending: 'wait' | 'half-close' | 'reset';
}

const oneOf = <const T>(...values: readonly T[]) => fc.constantFrom(...values);
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const bytes = (maxLength: number) => fc.uint8Array({ maxLength, size: 'max' });
const name = fc.stringMatching(/^[A-Za-z][\w-]{0,20}$/);
const harmless = fc.tuple(name, fc.stringMatching(/^[!-~]{0,60}$/)).map(([key, value]) => `x-${key}: ${value}`);
const few = { maxLength: 3 };
const mostly = (usual: string, others: fc.Arbitrary<string>) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 6 }, { arbitrary: others, weight: 1 });

const good: fc.Arbitrary<GoodRequest> = fc.record({
  endpoint: oneOf('hmac', 'hmac', 'rsa'),
  padding: fc.oneof({ arbitrary: fc.nat(2000), weight: 8 }, { arbitrary: fc.nat(900_000), weight: 1 }),
  chunks: fc.option(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 }), { nil: undefined }),
  headers: fc.uniqueArray(fc.oneof(harmless, oneOf('expect: 100-continue', 'expect: tea', 'content-encoding: gzip')), {
    ...few,
    selector: (header) => header.split(':')[0]?.toLowerCase(),
  }),
});

const framing = oneOf(
  ...['content-length: 5', 'content-length: -1', 'content-length: 99999999999999999999', 'content-length: 0x10'],
  ...['transfer-encoding: chunked', 'transfer-encoding: gzip, chunked', 'transfer-encoding: identity', 'te: trailers'],
  ...['transfer-encoding : chunked', 'connection: close', 'connection: upgrade', 'upgrade: h2c', 'keep-alive: 9'],
);

const odd: fc.Arbitrary<OddRequest> = fc.record({
  method: mostly('POST', oneOf('GET', 'PUT', 'OPTIONS', 'PRI', 'CONNECT', 'post', 'BREW', '')),
  path: fc.oneof(
    oneOf('/webhooks/hmac', '/webhooks/rsa', '/webhooks/none', '/health/live', '/health/ready', '*', '/%zz', '//'),
    fc.stringMatching(/^\/[!-~]{0,40}$/),
  ),
  version: mostly('HTTP/1.1', oneOf('HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1 x', '')),
  headers: fc.array(
    fc.oneof(
      { arbitrary: harmless, weight: 8 },
      { arbitrary: framing, weight: 2 },
      { arbitrary: anyText({ maxLength: 40 }), weight: 1 },
    ),
    few,
  ),
  isFramed: fc.boolean(),
  body: fc.oneof({ arbitrary: bytes(300), weight: 10 }, { arbitrary: bytes(70_000), weight: 1 }, chunked()),
});

/** Chunks, of which the last is seldom the last chunk of a body. */
function chunked(): fc.Arbitrary<Uint8Array> {
  const chunk = fc.tuple(oneOf(0, 0, 0, 1, -1), fc.string({ maxLength: 60 }), oneOf('', '', ';a=b', ';"'));
  return fc
    .array(chunk, { maxLength: 30 })
    .map((chunks) =>
      chunks.map(([wrong, text, extension]) => {
        const size = Math.max(0, Buffer.byteLength(text) + wrong);
        return `${size.toString(16)}${extension}\r\n${text}\r\n`;
      }),
    )
    .map((chunks) => Buffer.from(`${chunks.join('')}0\r\n\r\n`));
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fraction,
  removed: fc.oneof({ arbitrary: fc.nat(3), weight: 8 }, { arbitrary: fc.nat(2000), weight: 1 }),
  inserted: fc.oneof({ arbitrary: bytes(3), weight: 8 }, { arbitrary: bytes(20_000), weight: 1 }),
});

const pause = fc.record({
  at: fraction,
  ms: fc.oneof({ arbitrary: fc.nat(20), weight: 12 }, { arbitrary: fc.nat(1500), weight: 1 }),
});

/** Arbitrary connections. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  good: fc.array(good, few),
  odd: fc.array(fc.oneof({ arbitrary: odd, weight: 3 }, { arbitrary: bytes(500), weight: 1 }), few),
  mutations: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, { arbitrary: fc.array(mutation, few), weight: 1 }),
  pauses: fc.array(pause, { maxLength: 6 }),
  ending: oneOf('wait', 'wait', 'half-close', 'reset'),
});
