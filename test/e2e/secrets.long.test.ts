import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Client } from '@temporalio/client';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';
import { start } from '../cli/running-command.ts';
import { listen } from '../support/listen.ts';
import { createNamespace } from '../support/namespace.ts';
import { readable } from '../support/readable.ts';

/** Starts an HTTP server that closes when the test ends; returns its address. */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer((request, response) => void answer(request, response)))}`;
}

/** Values that must appear nowhere but in their place. */
interface Canaries {
  readonly token: string;
  /** Personal data. */
  readonly person: Readonly<Record<'name' | 'street' | 'note', string>>;
}

/** Orders by the warehouse's answer, each of which reveals too much. */
const orders = { good: 7001, forbidden: 7002, failed: 7003, broken: 7004, strange: 7005, absent: 7006 } as const;

/** Starts a warehouse whose every answer, refusals above all, contains canaries: personal data and the token of the request. */
function serveCanaries({ token, person }: Canaries): Promise<string> {
  const answers: { readonly [id: string]: readonly [status: number, body: (echo: string) => unknown] } = {
    [orders.good]: [200, () => orderOf(orders.good, person)],
    [orders.forbidden]: [403, (echo) => ({ ErrorCode: 'Forbidden', Hint: `${person.name} may not ${echo}` })],
    [orders.failed]: [500, (echo) => `Unhandled exception for ${person.name}, ${person.street}: ${echo}`],
    [orders.broken]: [200, (echo) => `${person.name} ${echo} {"readOnly":`],
    [orders.strange]: [200, (echo) => [person, echo]],
    [orders.absent]: [404, (echo) => ({ ErrorCode: 'NotFound', Hint: `${person.name} ${echo}` })],
  };
  return serve(({ url = '', headers: { authorization = '' } }, response) => {
    const id = /^\/orders\/(\d+)/.exec(url)?.[1] ?? '';
    const [status, body] = url.startsWith('/AuthServer')
      ? ([200, () => ({ access_token: token, expires_in: 1800 })] as const)
      : (answers[id] ?? ([500, (echo: string) => echo] as const));
    const said = body(authorization);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof said === 'string' ? said : JSON.stringify(said));
  });
}

function orderOf(orderId: number, { name, street, note }: Canaries['person']) {
  const contact = { name, address1: street };
  return {
    referenceNum: `PO-${orderId}`,
    notes: note,
    shipTo: contact,
    soldTo: contact,
    billTo: contact,
    savedElements: [{ name: 'Gift', value: note }],
    readOnly: { orderId, status: 0, isClosed: false, customerIdentifier: { id: 418, name: 'Alder' } },
  };
}

const canary = (what: string) => `${what}-${randomBytes(12).toString('hex')}`;

const secrets = {
  clientSecret: canary('client-secret'),
  accessToken: canary('access-token'),
  announceSecret: randomBytes(24).toString('base64'),
  announceQuery: canary('announce-query'),
  announcePassword: canary('announce-password'),
  adminToken: canary('admin-token'),
  webhookToken: canary('webhook-token'),
  wrongToken: canary('wrong-token'),
};
const person = { name: canary('Ada'), street: canary('Canary-Row'), note: canary('leave-at-door') };

/** Secrets and personal data, plain and in Base64. */
const forbidden = Object.values({ ...secrets, ...person }).flatMap((text) => [
  text,
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(`dockline:${text}`).toString('base64').replace(/=+$/, ''),
]);

/** Returns each secret that a text reveals, with its context. */
function findLeaks(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([where, text]) =>
    forbidden
      .filter((it) => text.includes(it))
      .map((it) => `${where}: ${text.slice(Math.max(0, text.indexOf(it) - 80), text.indexOf(it) + 80)}`),
  );
}

/** Starts a destination that accepts one announcement of one order, and answers all others with an echo of the request. */
async function startDestination() {
  const taken: string[] = [];
  const url = await serve(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isGood = body.includes(`orders/${orders.good}`) && taken.length < 1;
    if (isGood) taken.push(body);
    response.writeHead(isGood ? 204 : 500).end(isGood ? undefined : `${body} ${JSON.stringify(request.headers)}`);
  });
  return {
    taken,
    url: `${url.replace('//', `//dockline:${secrets.announcePassword}@`)}/in?key=${secrets.announceQuery}`,
  };
}

async function startDockline(announceUrl: string) {
  const address = inject('temporalAddress');
  const namespace = await createNamespace();
  const { client, close } = openTemporal({ address, namespace });
  onTestFinished(close);
  const warehouse = await serveCanaries({ token: secrets.accessToken, person });
  const process = await start([], {
    LOG_LEVEL: 'trace',
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    ADMIN_TOKEN: secrets.adminToken,
    WAREHOUSE_BASE_URL: warehouse,
    WAREHOUSE_AUTH_URL: warehouse,
    WAREHOUSE_TENANT: '9104',
    WAREHOUSE_CLIENT_ID: 'dockline',
    WAREHOUSE_CLIENT_SECRET: secrets.clientSecret,
    WAREHOUSE_USER_LOGIN: 'dockline',
    WAREHOUSE_ORDER_DETAIL: 'contacts,savedElements',
    ANNOUNCE_URL: announceUrl,
    ANNOUNCE_SECRET: `whsec_${secrets.announceSecret}`,
    WEBHOOK_VERIFY: 'token',
    WEBHOOK_TOKEN: secrets.webhookToken,
    RETRY_SLOW_MS: '500',
    WAREHOUSE_READ_LAG_MS: '1000',
  });
  await expect.poll(() => process.written.stdout).toContain('Dockline is running');
  const urlOf = (what: string) => new RegExp(`^${what} +(\\S+)`, 'm').exec(process.written.stdout)?.[1] ?? '';
  return { client, process, webhook: urlOf('webhook'), admin: urlOf('admin') };
}

/** Builds a message that contains personal data. Only the good order is in it whole: such an order is announced whatever its GET answers. */
const messageOf = (orderId: number, eventType = 'OrderCreate') =>
  JSON.stringify({
    tplId: 9104,
    wmsEventId: orderId * 10 + eventType.length,
    eventType,
    dateTime: '2026-02-11T16:42:19',
    resource: {
      href: `/orders/${orderId}`,
      ...(orderId === orders.good && { body: { readOnly: { orderId }, shipTo: person, notes: person.note } }),
    },
    data: JSON.stringify({ OrderId: String(orderId), ContactName: person.name }),
  });

/** Returns everything that Temporal stores of all workflows, as text. */
async function everythingOf(client: Client): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { workflowId, type, raw } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId);
    // At the full hour there is a sweep among them.
    const queries = type === 'reconcile' ? ['progress'] : ['lifecycle', 'timeline'];
    const asked = [...queries, '__temporal_workflow_metadata'].map((name) => handle.query(name));
    texts[workflowId] = [raw, await handle.fetchHistory(), (await handle.describe()).raw, ...(await Promise.all(asked))]
      .map((part) => readable(part))
      .join('\n');
  }
  return texts;
}

const failureOf = async (client: Client, orderId: number) => {
  const { raw } = await client.workflow.getHandle(`order:9104:${orderId}`).describe();
  return raw.pendingActivities?.map(({ lastFailure }) => lastFailure?.message).join(' ') ?? '';
};

it('no log, workflow, failure or answer contains a secret or personal data, whatever goes wrong', async () => {
  const destination = await startDestination();
  const { client, process, webhook, admin } = await startDockline(destination.url);
  const answers: string[] = [];
  const deliver = async (body: string, token = secrets.webhookToken) => {
    const response = await fetch(`${webhook}?token=${token}`, { method: 'POST', body });
    answers.push(await response.text());
    return response.status;
  };
  for (const id of Object.values(orders)) expect(await deliver(messageOf(id))).toBe(200);
  expect(await deliver(messageOf(orders.good, 'OrderTeleported'))).toBe(200);
  expect(await deliver(`{"shipTo": "${person.name}", `)).toBe(200);
  expect(await deliver(messageOf(orders.good), secrets.wrongToken)).toBe(401);
  // The connection may end while the body is still being sent.
  const tooLarge = await deliver(person.note.padEnd(5_000_000, '.')).catch(({ cause }) => cause.code);
  expect(tooLarge).toBeOneOf([413, 'EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET']);

  await expect.poll(() => destination.taken).toHaveLength(1);
  for (const part of Object.values(person)) expect(destination.taken[0]).toContain(part);
  const failures: readonly (readonly [id: number, failure: string])[] = [
    [orders.forbidden, 'answered 403 (ErrorCode Forbidden)'],
    [orders.failed, 'answered 500'],
    [orders.broken, 'answered 200, unreadable: not JSON'],
    [orders.strange, `answered 200 without the id of order ${orders.strange}`],
    // A 404 is final, so that the order is announced without its record.
    [orders.absent, 'POST http://127.0.0.1'],
  ];
  for (const [id, failure] of failures) {
    await expect.poll(() => failureOf(client, id)).toContain(failure);
  }

  const ask = async (path: string) => {
    const response = await fetch(`${admin}${path}`, { headers: { authorization: `Bearer ${secrets.adminToken}` } });
    expect(response.status, path).toBe(200);
    return await response.text();
  };
  const { items } = JSON.parse(await ask('/quarantine'));
  expect(items).toHaveLength(2);
  for (const path of ['/subjects', '/quarantine', '/announcements', '/status', '/board/quarantine'])
    answers.push(await ask(path));
  const workflows = await everythingOf(client);
  expect(Object.keys(workflows)).toHaveLength(Object.keys(orders).length);
  expect(workflows[`order:9104:${orders.good}`]).toContain('OrderCreate');
  process.child.kill('SIGTERM');
  await process.ended;
  expect(process.written.stderr).toContain('answered 403');
  expect(findLeaks({ ...workflows, answers: answers.join('\n'), ...process.written })).toEqual([]);
});
