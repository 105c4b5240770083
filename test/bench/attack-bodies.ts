import { gzipSync } from 'node:zlib';
import { TENANT } from './workload.ts';

/** A hostile body in pieces, another one for each serial so that no two are the same delivery. */
export type HostileBody = (serial: number) => readonly Buffer[];

/** What is large is made once. */
function after(large: Buffer): HostileBody {
  return (serial) => [large, Buffer.from(String(serial))];
}

const text =
  (write: (serial: number) => string): HostileBody =>
  (serial) => [Buffer.from(write(serial))];

/** A message about an order that a hostile text stands for or in. */
const message = (orderId: string, more = '') =>
  `{${more}"tplId":${TENANT},"eventType":"OrderCreate","data":{"OrderId":${orderId}}}`;

/** Bodies by what is hostile about them; a webhook that believes their sender answers 200 to each. */
export const hostileBodies: Readonly<Record<string, HostileBody>> = {
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

const manyKeys = Array.from({ length: 20_000 }, (_, index) => `"key${index}":0,`).join('');
