import { createHmac } from 'node:crypto';
import { SECRET } from './fuzzed-process.ts';
import type { GoodRequest, Mutation, OddRequest, Plan } from './plan.ts';

/** Signs the body of a delivery to the endpoint `rsa`. */
export type Sign = (body: Buffer) => string;

/** Connection as it is sent. */
export interface Composed {
  /** Bytes, each after a pause. */
  readonly fragments: readonly { readonly pauseMs: number; readonly bytes: Buffer }[];
  /** Number of deliveries at its start that must be answered 200, one after the other. */
  readonly sure: number;
}

/** Id of a delivery in the store. */
export const eventIdOf = (serial: number, index: number): string => `9104:${serial * 10 + index + 1}`;

/** Composes the bytes of a connection, whose deliveries have ids of their own. */
export function compose(plan: Plan, serial: number, sign: Sign): Composed {
  const good = plan.good.map((request, index) => composeGood(request, eventIdOf(serial, index), sign));
  const odd = plan.odd.map((one) => (one instanceof Uint8Array ? Buffer.from(one) : composeOdd(one)));
  const isSound = plan.mutations.length === 0 && plan.ending === 'wait';
  const isFast = plan.pauses.reduce((sum, { ms }) => sum + ms, 0) < 200;
  return {
    fragments: divide(plan.mutations.reduce(mutate, Buffer.concat([...good, ...odd])), plan),
    sure: isSound && isFast ? good.length : 0,
  };
}

/** Composes a delivery to the endpoint `hmac` or `rsa` with its signature. */
export function composeGood({ endpoint, padding, chunks, headers }: GoodRequest, eventId: string, sign: Sign): Buffer {
  const [tplId, wmsEventId] = eventId.split(':').map(Number);
  const event = { tplId, wmsEventId, eventType: 'OrderCreate', data: { OrderId: String(wmsEventId) } };
  const body = Buffer.from(JSON.stringify({ ...event, padding: 'a'.repeat(padding) }));
  const own = endpoint === 'hmac' ? `x-sum: ${sumOf(body)}` : `signature: ${sign(body)}`;
  const framing = chunks ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
  const head = [`POST /webhooks/${endpoint} HTTP/1.1`, 'host: dockline', own, framing, ...headers];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), ...(chunks ? chop(body, chunks) : [body])]);
}

const sumOf = (body: Uint8Array): string => createHmac('sha256', SECRET).update(body).digest('hex');

/** Divides a body into chunks of the given sizes, which grow if there would be too many small ones. */
function chop(body: Buffer, sizes: readonly number[]): Buffer[] {
  const least = Math.ceil(body.length / 900);
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const chunk = body.subarray(at, at + Math.max(least, sizes[chunks.length % sizes.length] ?? 1));
    chunks.push(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
    at += chunk.length;
  }
  return [...chunks, Buffer.from('0\r\n\r\n')];
}

function composeOdd({ method, path, version, headers, isFramed, body }: OddRequest): Buffer {
  const forged = [`x-sum: ${sumOf(Buffer.concat([body, Buffer.of(0)]))}`, 'signature: YWE='];
  const framed = isFramed ? [`content-length: ${body.length}`, ...forged] : [];
  const head = [`${method} ${path} ${version}`, 'host: dockline', ...framed, ...headers];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

function mutate(bytes: Buffer, { at, removed, inserted }: Mutation): Buffer {
  const place = Math.floor(at * bytes.length);
  return Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + removed)]);
}

function divide(bytes: Buffer, { pauses }: Pick<Plan, 'pauses'>): Composed['fragments'] {
  const cuts = pauses
    .map(({ at, ms }) => ({ place: Math.floor(at * bytes.length), ms }))
    .toSorted((a, b) => a.place - b.place);
  return [{ place: 0, ms: 0 }, ...cuts].map(({ place, ms }, index, all) => ({
    pauseMs: ms,
    bytes: bytes.subarray(place, all[index + 1]?.place),
  }));
}
