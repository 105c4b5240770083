import { gzipSync } from 'node:zlib';
import { TENANT } from '../workload.ts';
import type { RawRequest } from './raw-exchange.ts';

/** Webhook endpoint under attack. */
export interface AttackTarget {
  readonly path: string;
  /** Signs as the warehouse does, for authentic attacks. */
  readonly sign: (pieces: readonly Buffer[]) => string;
}

/** Hostile request and the status that must answer it through nginx as shipped; undefined for a connection that is closed without one. */
export interface Attack {
  readonly name: string;
  readonly answer: number | undefined;
  /** Composes the request; each serial gives another delivery. */
  readonly compose: (target: AttackTarget, serial: number) => RawRequest;
}

const BODY = Buffer.from('{"tplId":9104,"wmsEventId":1,"eventType":"OrderCreate","data":{"OrderId":"7"}}');
const WRONG = Buffer.alloc(256, 1).toString('base64');
/** Well-formed, so that the body is read. */
const SIGNED = `signature: ${WRONG}`;
/** Beyond the limit of any body. */
const TOO_LARGE = Buffer.alloc(4_500_000, ' ');

const head = (path: string, headers: readonly string[], method = 'POST') => {
  const own = ['host: dockline', 'connection: close', 'content-type: application/json'];
  return `${[`${method} ${path} HTTP/1.1`, ...own, ...headers].join('\r\n')}\r\n\r\n`;
};

function whole(
  path: string,
  headers: readonly string[],
  body: readonly Buffer[] = [BODY],
  method = 'POST',
): RawRequest {
  const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { pieces: [head(path, [...headers, `content-length: ${length}`], method), ...body] };
}

/** Sound body with hostile headers. */
const withHeaders = (name: string, answer: number, headers: readonly string[]): Attack => ({
  name,
  answer,
  compose: ({ path }) => whole(path, headers),
});

/** Incomplete or malformed HTTP. */
const raw = (name: string, answer: number | undefined, compose: (path: string) => RawRequest): Attack => ({
  name,
  answer,
  compose: ({ path }) => compose(path),
});

const elsewhere = (name: string, answer: number, address: (path: string) => string, method?: string): Attack => ({
  name,
  answer,
  compose: ({ path }) => whole(address(path), [], [BODY], method),
});

function chunked(path: string, body: Buffer, extension = ''): RawRequest {
  const size = `${body.byteLength.toString(16)}${extension}\r\n`;
  return { pieces: [head(path, [SIGNED, 'transfer-encoding: chunked']), size, body, '\r\n0\r\n\r\n'] };
}

type HostileBody = (serial: number) => readonly Buffer[];

/** Shares what is large between serials. */
function after(large: Buffer): HostileBody {
  return (serial) => [large, Buffer.from(String(serial))];
}

const text =
  (write: (serial: number) => string): HostileBody =>
  (serial) => [Buffer.from(write(serial))];

const message = (orderId: string, more = '') =>
  `{${more}"tplId":${TENANT},"eventType":"OrderCreate","data":{"OrderId":${orderId}}}`;

const manyKeys = Array.from({ length: 20_000 }, (_, index) => `"key${index}":0,`).join('');

/** Bodies that an endpoint accepts once it trusts the sender. */
const hostileBodies: Readonly<Record<string, HostileBody>> = {
  'that are 50 MB once inflated': after(gzipSync(Buffer.alloc(50_000_000, ' '))),
  'nested 200,000 deep': after(Buffer.from('['.repeat(200_000))),
  'nested 200,000 deep in objects': after(Buffer.from('{"a":'.repeat(200_000))),
  'of 400,000 elements': after(Buffer.from(`[${'0,'.repeat(400_000)}`)),
  'of 20,000 keys': text((serial) => message('"7"', `${manyKeys}"serial":${serial},`)),
  'that are not JSON': text((serial) => `<order id="${serial}"/>`),
  'that are not UTF-8': after(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0xaf])),
  'of zero bytes': after(Buffer.alloc(10_000)),
  'with __proto__': text((serial) => message(`"${serial}"`, '"__proto__":{"tplId":1},')),
  'with one key twice': text((serial) => message(`"${serial}"`, '"eventType":"OrderCancel",')),
  'with numbers beyond 2^53': text((serial) => message(`${9_007_199_254_740_993n + BigInt(serial)}`, '"more":1e999,')),
  'with half characters': text((serial) => message(`"${serial}\\ud800"`, '"tags":"\\ud800\\u0000",')),
  'with an id of 10,000 characters': text((serial) => message(`"${serial}${'7'.repeat(10_000)}"`)),
  'with an id that climbs': text((serial) => message(`"../../users/${serial}"`)),
};

const unauthentic = ([name, body]: [string, HostileBody]): Attack => ({
  name: `unauthentic bytes ${name}`,
  answer: 401,
  compose: ({ path }, serial) => whole(path, [`signature: ${WRONG}`, 'content-encoding: gzip'], body(serial)),
});

const authentic = ([name, body]: [string, HostileBody]): Attack => ({
  name: `authentic bytes ${name}`,
  answer: 200,
  compose({ path, sign }, serial) {
    const pieces = body(serial);
    return whole(path, [`signature: ${sign(pieces)}`, 'content-encoding: gzip'], pieces);
  },
});

/** Attacks that are sent and answered without delay. */
export const attacks: readonly Attack[] = [
  withHeaders('no signature', 401, []),
  withHeaders('a wrong signature', 401, [`signature: ${WRONG}`]),
  withHeaders('a signature that is not base64', 401, ['signature: %00"\'<script>']),
  withHeaders('an endless signature', 400, [`signature: ${'A'.repeat(12_000)}`]),
  {
    name: "another body's signature",
    answer: 401,
    compose: ({ path, sign }, serial) => whole(path, [`signature: ${sign([Buffer.from(String(serial))])}`]),
  },
  {
    name: 'the signature twice',
    answer: 401,
    compose: ({ path, sign }) => whole(path, Array(2).fill(`signature: ${sign([BODY])}`)),
  },
  withHeaders('two lengths', 400, ['content-length: 1']),
  withHeaders('a length and chunks', 400, ['transfer-encoding: chunked']),
  withHeaders('endless headers', 400, [`cookie: ${'a'.repeat(20_000)}`]),
  raw('a body declared too large', 413, (path) => ({ pieces: [head(path, [SIGNED, 'content-length: 1000000000'])] })),
  raw('a body too large in chunks', 413, (path) => chunked(path, TOO_LARGE)),
  raw('a body in chunks of one byte', 401, (path) => ({
    pieces: [head(path, [SIGNED, 'transfer-encoding: chunked']), '1\r\n \r\n'.repeat(100_000), '0\r\n\r\n'],
  })),
  raw('endless chunk extensions', 401, (path) => chunked(path, BODY, `;${'a'.repeat(20_000)}`)),
  raw('a chunk without a size', 400, (path) => ({
    pieces: [head(path, [SIGNED, 'transfer-encoding: chunked']), 'zz\r\n'],
  })),
  raw('a body cut short', undefined, (path) => ({
    pieces: [head(path, [SIGNED, 'content-length: 900']), BODY],
    ends: true,
  })),
  raw('no HTTP', 400, () => ({ pieces: [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])] })),
  elsewhere('a path of 10,000 characters', 414, () => `/webhooks/${'a'.repeat(10_000)}`),
  elsewhere('a query of 10,000 characters', 414, (path) => `${path}?token=${'a'.repeat(10_000)}`),
  elsewhere('an endpoint that does not exist', 401, () => '/webhooks/nobody'),
  elsewhere('an address that climbs', 400, () => '/webhooks/../../etc/passwd'),
  elsewhere('an address that cannot be decoded', 400, () => '/webhooks/%zz%00'),
  ...['GET', 'PUT', 'DELETE'].map((method) => elsewhere(`${method} instead of POST`, 405, (path) => path, method)),
  ...Object.entries(hostileBodies).flatMap((body) => [unauthentic(body), authentic(body)]),
];

/** Attacks that hold a connection: nginx closes one with slow headers, and waits for a body that still comes. The endpoint sees none of them. */
export const slowAttacks: readonly Attack[] = [
  raw('slow headers', undefined, (path) => ({
    pieces: [`POST ${path} HTTP/1.1\r\nhost: dockline\r\nx-slow: `],
    drip: 'a',
  })),
  raw('a slow body', undefined, (path) => ({ pieces: [head(path, [SIGNED, 'content-length: 100000'])], drip: ' ' })),
  raw('slow chunks', undefined, (path) => ({
    pieces: [head(path, [SIGNED, 'transfer-encoding: chunked'])],
    drip: '1\r\n \r\n',
  })),
];
