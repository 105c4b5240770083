import { type HostileBody, hostileBodies } from './attack-bodies.ts';
import type { RawRequest } from './raw-exchange.ts';

/** What an attack is made for. */
export interface AttackTarget {
  /** Of the webhook's address. */
  readonly path: string;
  /** Signs as the warehouse does, for those that are authentic. */
  readonly sign: (pieces: readonly Buffer[]) => string;
}

/** Hostile input, and how a webhook has to answer it. */
export interface Attack {
  readonly name: string;
  readonly answer: number;
  /** What to send; the serial makes each one different. */
  readonly compose: (target: AttackTarget, serial: number) => RawRequest;
}

const BODY = Buffer.from('{"tplId":9104,"wmsEventId":1,"eventType":"OrderCreate","data":{"OrderId":"7"}}');
const WRONG = Buffer.alloc(256, 1).toString('base64');
/** More than any body may have. */
const TOO_MUCH = Buffer.alloc(4_500_000, ' ');

/** What every request has. */
const OWN = ['host: dockline', 'connection: close', 'content-type: application/json'];

const head = (path: string, headers: readonly string[], method = 'POST') =>
  `${[`${method} ${path} HTTP/1.1`, ...OWN, ...headers].join('\r\n')}\r\n\r\n`;

function whole(
  path: string,
  headers: readonly string[],
  body: readonly Buffer[] = [BODY],
  method = 'POST',
): RawRequest {
  const length = `content-length: ${body.reduce((sum, { byteLength }) => sum + byteLength, 0)}`;
  return { pieces: [head(path, [...headers, length], method), ...body] };
}

/** A request with a sound body whose headers are hostile. */
const withHeaders = (name: string, answer: number, headers: readonly string[]): Attack => ({
  ...{ name, answer },
  compose: ({ path }) => whole(path, headers),
});

/** A request of which only the beginning is sent, or one that is no sound HTTP. */
const raw = (name: string, answer: number, compose: (path: string) => RawRequest): Attack => ({
  ...{ name, answer },
  compose: ({ path }) => compose(path),
});

const elsewhere = (name: string, answer: number, address: (path: string) => string, method?: string): Attack => ({
  ...{ name, answer },
  compose: ({ path }) => whole(address(path), [], [BODY], method),
});

const ofStranger = ([name, body]: [string, HostileBody]): Attack => ({
  ...{ name: `a stranger's bytes ${name}`, answer: 401 },
  compose: ({ path }, serial) => whole(path, [`signature: ${WRONG}`, 'content-encoding: gzip'], body(serial)),
});

const authentic = ([name, body]: [string, HostileBody]): Attack => ({
  ...{ name: `authentic bytes ${name}`, answer: 200 },
  compose({ path, sign }, serial) {
    const pieces = body(serial);
    return whole(path, [`signature: ${sign(pieces)}`, 'content-encoding: gzip'], pieces);
  },
});

/** Everything that is sent and answered at once. */
export const attacks: readonly Attack[] = [
  withHeaders('no signature', 401, []),
  withHeaders('a wrong signature', 401, [`signature: ${WRONG}`]),
  withHeaders('a signature that is no base64', 401, ['signature: %00"\'<script>']),
  withHeaders('an endless signature', 401, [`signature: ${'A'.repeat(12_000)}`]),
  {
    ...{ name: "another body's signature", answer: 401 },
    compose: ({ path, sign }, serial) => whole(path, [`signature: ${sign([Buffer.from(String(serial))])}`]),
  },
  {
    ...{ name: 'the signature twice', answer: 401 },
    compose: ({ path, sign }) => whole(path, Array(2).fill(`signature: ${sign([BODY])}`)),
  },
  withHeaders('two lengths', 400, ['content-length: 1']),
  withHeaders('a length and chunks', 400, ['transfer-encoding: chunked']),
  withHeaders('endless headers', 431, [`cookie: ${'a'.repeat(20_000)}`]),
  raw('a body declared too large', 413, (path) => ({ pieces: [head(path, ['content-length: 1000000000'])] })),
  raw('a body too large in chunks', 413, (path) => ({ pieces: chunked(path, TOO_MUCH) })),
  raw('endless chunk extensions', 413, (path) => ({ pieces: chunked(path, BODY, `;${'a'.repeat(20_000)}`) })),
  raw('a chunk without a size', 400, (path) => ({ pieces: [head(path, ['transfer-encoding: chunked']), 'zz\r\n'] })),
  raw('a body cut short', 400, (path) => ({ pieces: [head(path, ['content-length: 900']), BODY], ends: true })),
  raw('no HTTP', 400, () => ({ pieces: [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])] })),
  elsewhere('a path of 10,000 characters', 404, () => `/webhooks/${'a'.repeat(10_000)}`),
  elsewhere('a query of 10,000 characters', 401, (path) => `${path}?token=${'a'.repeat(10_000)}`),
  elsewhere('an endpoint that does not exist', 404, () => '/webhooks/nobody'),
  elsewhere('an address that climbs', 404, () => '/webhooks/../../etc/passwd'),
  elsewhere('an address that cannot be decoded', 404, () => '/webhooks/%zz%00'),
  ...['GET', 'PUT', 'DELETE'].map((method) => elsewhere(`${method} instead of POST`, 405, (path) => path, method)),
  ...Object.entries(hostileBodies).flatMap((body) => [ofStranger(body), authentic(body)]),
];

function chunked(path: string, body: Buffer, extension = ''): RawRequest['pieces'] {
  const size = `${body.byteLength.toString(16)}${extension}\r\n`;
  return [head(path, ['transfer-encoding: chunked']), size, body, '\r\n0\r\n\r\n'];
}

/** What keeps a connection for as long as it may. */
export const slowAttacks: readonly Attack[] = [
  raw('slow headers', 408, (path) => ({ pieces: [`POST ${path} HTTP/1.1\r\nhost: dockline\r\nx-slow: `], drip: 'a' })),
  raw('a slow body', 408, (path) => ({ pieces: [head(path, ['content-length: 100000'])], drip: ' ' })),
  raw('slow chunks', 408, (path) => ({ pieces: [head(path, ['transfer-encoding: chunked'])], drip: '1\r\n \r\n' })),
];
