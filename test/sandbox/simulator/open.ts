import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../sandbox/simulator/simulator.ts';
import type { WebhookRecord } from '../../../sandbox/simulator/webhooks/record.ts';
import { listen } from '../../support/listen.ts';

/** Starts a simulator that closes when the test ends. */
export async function openSimulator(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const simulator = await startSimulator({ port: 0, seed: 1, pace: 0, retryIntervalMs: 10, ...options });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** Request that a receiver got. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
  readonly message: any;
}

/** Starts a receiver that stores its webhooks. `answer` returns the status, or null for no answer. */
export async function openReceiver(answer: (index: number) => number | null = () => 200) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request);
    const status = answer(received.length);
    received.push({ headers: request.headers, bytes, message: JSON.parse(bytes.toString()) });
    if (status !== null) response.writeHead(status).end();
  });
  return { received, url: `http://127.0.0.1:${await listen(server)}/webhooks/warehouse` };
}

const events = {
  Order: [
    'OrderCreate',
    'OrderComplete',
    'OrderUpdate',
    'OrderConfirm',
    'OrderUnconfirm',
    'OrderCancel',
    'Deleted',
    'OrderFullyAllocated',
    'OrderExcludedFromPickJob',
    'Pick job - user assigned',
    'Pick job - user unassigned',
    'OrderPickJobDone',
    'Pack - started',
    'Pack Complete',
  ],
  Receipt: ['Create', 'Update', 'Confirm', 'Cancel', 'Delete', 'Complete', 'Unconfirm'],
  Adjustment: ['Create', 'Update', 'Confirm', 'Cancel', 'Delete'],
  Assembly: ['Create', 'Update', 'Confirm', 'Cancel', 'Delete'],
  'Order Item': ['Pack', 'Unpack', 'Pick', 'Unpick'],
  Item: ['Create', 'Update', 'Delete'],
  'Inventory Summary': ['Update'],
  'Inventory Hold': ['Place on Hold', 'Release from Hold'],
} as const;

/** Returns the record that sends every event of a type, without the resource. */
export function everyEvent(eventType: keyof typeof events, destination: string) {
  return { scope: 'Any Customer' as const, destination, eventType, events: events[eventType] };
}

interface DeliveriesOptions extends Partial<SimulatorOptions> {
  /** Types of events that are sent. Default: those of orders. */
  readonly types?: readonly (keyof typeof events)[];
  /** Default: none. */
  readonly resources?: WebhookRecord['resources'];
  readonly answer?: Parameters<typeof openReceiver>[0] | undefined;
}

/** Starts a simulator and a receiver to which it sends every event of some types. */
export async function openDeliveries({ types = ['Order'], resources, answer, ...options }: DeliveriesOptions = {}) {
  const simulator = await openSimulator(options);
  const { received, url } = await openReceiver(answer);
  simulator.setWebhooks(types.map((type) => ({ ...everyEvent(type, url), resources })));
  return { simulator, received };
}

/** Tenant whose token a request uses, by default the first. */
export type Caller = Pick<Simulator, 'credentials'>;

/** Requests a token, by default successfully. */
export function requestToken(
  { authUrl, credentials }: Pick<Simulator, 'authUrl' | 'credentials'>,
  { id = credentials.clientId, secret = credentials.clientSecret, body = {} as object } = {},
): Promise<Response> {
  return fetch(`${authUrl}/AuthServer/api/Token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
    },
    body: JSON.stringify({ grant_type: 'client_credentials', user_login: 'someone', ...body }),
  });
}

/** Returns a valid token. */
export async function newToken(simulator: Simulator, { credentials }: Caller = simulator): Promise<string> {
  const response = await requestToken({ authUrl: simulator.authUrl, credentials });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Sends a GET with a new token. */
export async function get(
  simulator: Simulator,
  path: string,
  accept = 'application/hal+json',
  caller: Caller = simulator,
) {
  const headers = { authorization: `Bearer ${await newToken(simulator, caller)}`, accept };
  const response = await fetch(simulator.baseUrl + path, { headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Sends a GET that has to be answered 200, so that its answer can be compared with another one. */
export async function getShown(simulator: Simulator, path: string) {
  const answer = await get(simulator, path);
  expect(answer.status, path).toBe(200);
  return answer;
}
