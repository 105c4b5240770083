import fc from 'fast-check';
import { expect, inject, it, onTestFinished } from 'vitest';
import type { SubjectKind } from '../../src/domain/catalogue/subject.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { createNamespace } from '../support/namespace.ts';
import { readable } from '../support/readable.ts';
import { startSystem } from '../support/system.ts';
import { startRecordingServer } from '../warehouse/recording-server.ts';

/** Customers of the simulated warehouse, by the name that only what is theirs contains. */
const names = { 418: 'Alder Tea Company', 419: 'Brightwater Audio', 420: 'Cobalt Cycling' } as const;
type Customer = keyof typeof names;
const customers = [418, 419, 420] as const;

/** Texts that are in everything of a customer. */
const secretsOf = (customer: Customer) => [`only-for-${customer}-.`, names[customer]];

const events = {
  order: ['OrderCreate', 'OrderUpdate', 'OrderFullyAllocated', 'OrderPackComplete', 'OrderConfirm'],
  receipt: ['ReceiptCreate', 'ReceiptUpdate'],
  hold: ['InventoryPlaceOnHold', 'InventoryReleaseFromHold'],
  stock: ['InventorySummaryUpdate'],
} as const satisfies Partial<Record<SubjectKind, readonly string[]>>;
type Kind = keyof typeof events;

const life = fc.array(
  fc.tuple(
    fc.constantFrom(...customers),
    fc.constantFrom<Kind>('order', 'order', 'receipt', 'hold', 'stock'),
    fc.nat(4),
  ),
  { minLength: 4, maxLength: 8 },
);

/** Returns the secrets of others that a text contains. */
const leaksIn = (where: string, text: string, customer?: Customer): readonly string[] =>
  customers
    .filter((other) => other !== customer)
    .flatMap(secretsOf)
    .filter((secret) => text.includes(secret))
    .map((secret) => `${where}: ${secret}`);

it('no workflow, receiver, workflow of a receiver, log or metric has what is of another customer', async () => {
  const logged: string[] = [];
  const { simulator, service, tenants, workflowId } = await startSystem({
    env: {
      METRICS_PORT: '0',
      DESTINATION_KEYS: `first:${Buffer.alloc(32, 7).toString('base64')}`,
      ANNOUNCE_ALLOWED_ADDRESSES: '127.0.0.1',
    },
    log: (line) => void logged.push(line),
  });
  const { tenant = '' } = tenants[0] ?? {};
  const { url, requests } = await startRecordingServer(() => ({ status: 204 }));
  const address = inject('temporalAddress');
  const namespace = await createNamespace();
  const theirs = openTemporal({ address, namespace });
  onTestFinished(theirs.close);
  for (const customer of customers) {
    const add = async (name: string, settings: object) => {
      const answer = await fetch(`${service().admin.url}/destinations/${tenant}/${name}-${customer}/add`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...settings, customers: [String(customer)] }),
      });
      expect(answer.status).toBe(201);
    };
    await add('shop', { url: new URL(`/${customer}`, url).href, allowHttp: 'yes' });
    const workflow = { workflowType: 'any', taskQueue: 'nobody', workflowId: `${customer}-{kind}-{id}` };
    await add('flow', { kind: 'temporal', url: `temporal://${address}/${namespace}`, detail: 'full', ...workflow });
  }

  const subjects: { readonly customer: Customer; readonly kind: Kind; readonly id: string }[] = [];
  for (const steps of fc.sample(life, { numRuns: 3, seed: 52 }))
    for (const [customer, kind, count] of steps) {
      const itemId = 70_000 + subjects.length;
      const own = {
        customerId: customer,
        ...(kind === 'order' || kind === 'receipt' ? { referenceNum: `only-for-${customer}-.` } : { itemId }),
      };
      const id = simulator.create(kind, own);
      subjects.push({ customer, kind, id });
      for (const event of events[kind].slice(0, count + 1)) await simulator.emit(id, event);
    }
  const unsent = async () => {
    const { db } = service().store;
    const waiting = await db.selectFrom('outbox').select('announcement').where('sent_at', 'is', null).execute();
    const recorded = await db.selectFrom('subjects').select('subject_id').where('tenant', '=', tenant).execute();
    return { waiting: waiting.length, isRecorded: recorded.length >= subjects.length };
  };
  await expect.poll(unsent).toEqual({ waiting: 0, isRecorded: true });

  const { client } = service().webhook;
  const leaks: string[] = [];
  for (const { customer, kind, id } of subjects) {
    const handle = client.workflow.getHandle(workflowId(id, kind));
    const parts = [await handle.fetchHistory(), (await handle.describe()).raw].map((part) => readable(part));
    leaks.push(...leaksIn(workflowId(id, kind), parts.join('\n'), customer));
  }
  const got = new Set<Customer>();
  for (const { target, headers, body } of requests) {
    const customer = Number(target.slice(1)) as Customer;
    leaks.push(...leaksIn(`shop-${customer}`, `${JSON.stringify(headers)} ${body}`, customer));
    if (secretsOf(customer).some((secret) => body.includes(secret))) got.add(customer);
  }
  let signaled = 0;
  for await (const { workflowId: id } of theirs.client.workflow.list()) {
    const handle = theirs.client.workflow.getHandle(id);
    const parts = [await handle.fetchHistory(), (await handle.describe()).raw].map((part) => readable(part));
    leaks.push(...leaksIn(id, parts.join('\n'), Number(id.split('-')[0]) as Customer));
    signaled += 1;
  }
  leaks.push(...leaksIn('log', logged.join('\n')));
  leaks.push(...leaksIn('metrics', await (await fetch(`${service().metrics?.url}/metrics`)).text()));
  expect(leaks).toEqual([]);
  // What is searched is there.
  expect([...got].toSorted()).toEqual([...new Set(subjects.map(({ customer }) => customer))].toSorted());
  expect(signaled).toBeGreaterThan(0);
  expect(logged.length).toBeGreaterThan(0);
});
