import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Announced } from './ledger.ts';
import { orderResource } from './workload.ts';

/** Warehouse that shows each order as of the last step sent. */
export interface StubWarehouse {
  readonly baseUrl: string;
  /** PEM of the key that signs its webhooks. */
  readonly privateKey: string;
  readonly publicKey: string;
  /** Shows an order as it is after a step, never an earlier one. */
  show(orderId: string, step: number): void;
  /** Delays each GET from now on. */
  setLatency(ms: number): void;
  /** Answers 429 to GETs beyond so many in a second, from now on. */
  allow(perSecond: number): void;
  /** GETs of resources so far, those that were answered 429 included. */
  calls(): number;
  /** GETs so far that were answered 429. */
  refused(): number;
  /** Answered GETs so far, by what was asked for. */
  answered(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Starts a warehouse that answers without delay. */
export async function startStubWarehouse(): Promise<StubWarehouse> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const shown = new Map<string, number>();
  let latencyMs = 0;
  let calls = 0;
  let refused = 0;
  const answered: Record<string, number> = {};
  let isAllowed = () => true;
  const { origin, close } = await listen((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    request.resume();
    if (path === '/AuthServer/api/Token') send({ access_token: 'token', expires_in: 3600 }, response);
    else if (path === '/events/webhook/key') send({ publicKey }, response);
    // Whoever asks for the time shows no token.
    else if (request.method === 'HEAD') response.writeHead(204).end();
    else {
      calls += 1;
      if (!isAllowed()) {
        refused += 1;
        return void response.writeHead(429, { 'retry-after': '1' }).end();
      }
      const ids = listedIn(request.url ?? '');
      const what = ids ? 'listings' : whatOf(path);
      answered[what] = (answered[what] ?? 0) + 1;
      const resource = ids ? listOrders(ids, shown) : resourceAt(path, shown);
      afterDelay(latencyMs && latencyMs + (ids?.length ?? 0) * ROW_MS, () => send(resource, response));
    }
  });
  return {
    baseUrl: origin,
    privateKey,
    publicKey,
    close,
    show: (orderId, step) => void shown.set(orderId, Math.max(step, shown.get(orderId) ?? 0)),
    setLatency: (ms) => {
      latencyMs = ms;
    },
    allow: (perSecond) => {
      isAllowed = createRate(perSecond);
    },
    calls: () => calls,
    refused: () => refused,
    answered: () => ({ ...answered }),
  };
}

/** Creates the check whether another call is allowed: in every second that slides by no more than so many. */
function createRate(perSecond: number): () => boolean {
  const begun: number[] = [];
  return () => {
    const now = performance.now();
    while ((begun[0] ?? now) < now - 1000) begun.shift();
    return begun.length < perSecond && begun.push(now) > 0;
  };
}

const send = (body: object, response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'application/hal+json' }).end(JSON.stringify(body));

function resourceAt(path: string, shown: ReadonlyMap<string, number>): object {
  const [, collection, id = '', jobId = ''] = path.split('/');
  if (collection === 'customers')
    return { readOnly: { customerId: Number(id) }, companyInfo: { companyName: 'Cobalt Cycling' } };
  if (collection === 'uiproperties') return { id: Number(jobId), login: 'j.lindqvist' };
  if (id === 'pickjobs') return { pickJobId: Number(jobId), pickList: [{ sku: 'TIRE-700C-0', qty: 6 }] };
  return orderResource(id, shown.get(id) ?? 0);
}

/** Names what a path asks for. */
function whatOf(path: string): string {
  const [, collection = '', id] = path.split('/');
  return id === 'pickjobs' ? 'pick lists' : collection === 'uiproperties' ? 'users' : collection;
}

/** Time by which each row makes the answer of a slow listing later, in milliseconds. */
const ROW_MS = 2;

/** Returns the ids of a listing by ids; undefined for another request. */
const listedIn = (url: string): readonly string[] | undefined =>
  /=in=\(([^)]*)\)/.exec(decodeURIComponent(url))?.[1]?.split(',');

const listOrders = (ids: readonly string[], shown: ReadonlyMap<string, number>): object => ({
  totalResults: ids.length,
  _embedded: { 'http://api.3plCentral.com/rels/orders/order': ids.map((id) => orderResource(id, shown.get(id) ?? 0)) },
});

/** Destination that accepts every announcement. */
export interface StubDestination {
  readonly url: string;
  /** Delays each answer from now on. */
  setLatency(ms: number): void;
  close(): Promise<void>;
}

/** Starts a destination that reports each announcement, Dockline's or another's `{orderId, milestone}`, before it answers. */
export async function startStubDestination(onAnnounced: (announced: Announced) => void): Promise<StubDestination> {
  let latencyMs = 0;
  const { origin, close } = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data, ...plain } = JSON.parse(Buffer.concat(chunks).toString());
      onAnnounced(data ? { orderId: data.id, milestone: data.milestone } : plain);
      afterDelay(latencyMs, () => response.writeHead(204).end());
    });
  });
  return {
    url: `${origin}/announcements`,
    close,
    setLatency: (ms) => {
      latencyMs = ms;
    },
  };
}

/** Runs immediately without a delay: a timer of 0 ms takes one. */
function afterDelay(ms: number, act: () => void): void {
  if (ms === 0) act();
  else setTimeout(act, ms);
}

async function listen(onRequest: RequestListener): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server = createServer(onRequest).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
