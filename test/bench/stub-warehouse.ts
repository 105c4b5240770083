import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CUSTOMER_ID, orderResource, USER_ID } from './resources.ts';

/** How a warehouse answers. */
export interface Manners {
  /** How long each GET takes, in milliseconds. */
  readonly latencyMs: number;
  /** How many GETs it takes within any second; the others are answered 429. */
  readonly perSecond: number;
}

/** A warehouse that knows of each order what was sent of it. */
export interface StubWarehouse {
  readonly baseUrl: string;
  /** PEM; its webhooks are signed with it. */
  readonly privateKey: string;
  /** Shows an order as it is after a step. */
  show(orderId: string, step: number): void;
  /** Changes how it answers from now on. */
  behave(manners: Partial<Manners>): void;
  /** GETs of resources so far, those answered 429 included. */
  calls(): number;
  /** How many of them were answered 429. */
  refused(): number;
  close(): Promise<void>;
}

const atOnce: Manners = { latencyMs: 0, perSecond: Number.POSITIVE_INFINITY };

/** Starts a warehouse that answers at once. */
export async function startStubWarehouse(): Promise<StubWarehouse> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const shown = new Map<string, number>();
  const recent: number[] = [];
  let manners = atOnce;
  let calls = 0;
  let refused = 0;

  function mayCall(): boolean {
    const now = performance.now();
    while ((recent[0] ?? now) < now - 1000) recent.shift();
    if (recent.length >= manners.perSecond) return false;
    if (manners.perSecond < Number.POSITIVE_INFINITY) recent.push(now);
    return true;
  }

  function answer(path: string, response: ServerResponse): void {
    calls += 1;
    if (!mayCall()) {
      refused += 1;
      response.writeHead(429, { 'retry-after': '1' }).end();
    } else if (manners.latencyMs === 0) send(resourceAt(path, shown), response);
    else setTimeout(send, manners.latencyMs, resourceAt(path, shown), response);
  }

  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    request.resume();
    if (path === '/AuthServer/api/Token') send({ access_token: 'token', expires_in: 3600 }, response);
    else if (path === '/events/webhook/key') send({ publicKey }, response);
    else answer(path, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    privateKey,
    show: (orderId, step) => void shown.set(orderId, Math.max(step, shown.get(orderId) ?? 0)),
    behave: (change) => {
      manners = { ...manners, ...change };
    },
    calls: () => calls,
    refused: () => refused,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const send = (body: object, response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'application/hal+json' }).end(JSON.stringify(body));

function resourceAt(path: string, shown: ReadonlyMap<string, number>): object {
  const [, collection, id = '', jobId = ''] = path.split('/');
  if (collection === 'customers')
    return { readOnly: { customerId: CUSTOMER_ID }, companyInfo: { companyName: 'Cobalt Cycling' } };
  if (collection === 'uiproperties') return { id: USER_ID, login: 'j.lindqvist' };
  if (id === 'pickjobs') return { pickJobId: Number(jobId), pickList: [{ sku: 'TIRE-700C-0', qty: 6 }] };
  return orderResource(id, shown.get(id) ?? 0);
}
