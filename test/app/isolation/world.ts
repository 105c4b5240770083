import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { announce } from '../../../activities/announce.ts';
import { record } from '../../../activities/record.ts';
import type { Retrieved } from '../../../activities/retrieval.ts';
import type { AccessToken } from '../../../src/admin/access.ts';
import { createSessions } from '../../../src/admin/board/session.ts';
import type { Store } from '../../../src/app/store.ts';
import { openTenantClients } from '../../../src/app/tenant-clients.ts';
import { createBulkItems } from '../../../src/bulk/items.ts';
import { replaying, takeStep } from '../../../src/bulk/runner.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createManagedDestinations } from '../../../src/destinations/managed-destinations.ts';
import { createRecordAccess } from '../../../src/destinations/record-routes.ts';
import { createRedelivery } from '../../../src/destinations/tables/redelivery.ts';
import type { SubjectRef } from '../../../src/domain/catalogue/subject.ts';
import { DocklineError } from '../../../src/domain/errors.ts';
import { readRecord } from '../../../src/domain/kinds/record.ts';
import type { Limit } from '../../../src/domain/permission.ts';
import { toEntry } from '../../../src/ingress/message/delivery.ts';
import { createBreaker } from '../../../src/warehouse/breaker.ts';
import { type Delivered, deliver, depsOn, quietEnvironment } from '../../activities/deps.ts';
import { destinationKeys, openAdmin } from '../../admin/open-admin.ts';
import { type NotedRoute, noteRoutes } from '../../admin/routes.ts';
import { openMailServer } from '../../alerts/mail-server.ts';
import { openWatch, webhookTo } from '../../alerts/open-watch.ts';
import { openReceiver } from '../../alerts/receiver.ts';
import { writeTemporary } from '../../config/temporary-text.ts';
import { openIn, type TestDatabase } from '../../store/databases.ts';
import { quarantinedEntry } from '../../support/make.ts';
import { startRecordingServer } from '../../warehouse/recording-server.ts';

export const customers = ['418', '77', '419'] as const;
export type Customer = (typeof customers)[number];

/** Names that destinations are given. */
export const names = ['shop', 'hub', 'mart'] as const;

/** What a message says of its customer: whose it is, nothing (so that it is of whoever was named last), or two things at once. */
export type Named = Customer | 'unknown' | 'contradicted';

/** Somebody who is limited: to a customer of the first account, to the whole of it, or to the other account. */
const holders = [...customers, 'account', 'other'] as const;

/** One of them, or the receiver of several customers, such as `418,77`. */
type Holder = (typeof holders)[number] | Owners;

/** Customers of a destination, with commas between. */
export type Owners = Customer | `${Customer},${Customer}`;

/** Owner of a secret: a customer, the other account, or the quarantine of the first account, which belongs to no customer. */
type Secret = Named | 'other' | 'quarantined';
const secrets = [...customers, 'contradicted', 'other', 'quarantined'] as const satisfies readonly Secret[];

/** Text that somebody got. */
type Got = readonly [Holder, string];

/** Text that is in everything of one, and in nothing of another. */
export const secretOf = (of: Secret): string => `only-for-${of}-.`;

/** Id of an order that is always of one customer: whoever reads it knows that there is such an order. */
const idOf = (of: Secret): string => `id-of-${of}-.`;

const TENANT = '9104';
const OTHER = '7001';

/** Customer of the other account, whose id is that of somebody else in the first one. */
const NAMESAKE = '418';

/** Destination of the file of settings, which the board cannot change. */
const DESK = 'desk';

const warehouse = (tenant: string, further = '') => `
  - tenant: ${tenant}
    baseUrl: https://warehouse.test
    authUrl: https://warehouse.test
    clientId: ${tenant}
    clientSecret: secret
    userLogin: dockline
    announce:
      url: https://merchant.test/hook
      secret: ${SECRET}
${further}`;

const deskOf = (receivers: string, owners: Owners) => `
    destinations:
      - name: ${DESK}
        url: ${new URL(`/${owners}`, receivers).href}
        allowHttp: yes
        customers: [${owners}]
        recordsToken: ${deskToken(owners)}
        secret: ${SECRET}
`;

const deskToken = (owners: Owners) => `the-records-token-of-the-desk-of-${owners.replace(',', '-')}`;

const SECRET = `whsec_${'c2VjcmV0'.repeat(4)}`;

/** Returns the variables of the configuration; the empty ones replace what tests have by default. */
const environment = (further?: string) => ({
  CONFIG_FILE: writeTemporary(`warehouses:${warehouse(TENANT, further)}${warehouse(OTHER)}`),
  WAREHOUSE_TENANT: '',
  WAREHOUSE_BASE_URL: '',
  WAREHOUSE_AUTH_URL: '',
  WAREHOUSE_CLIENT_ID: '',
  WAREHOUSE_CLIENT_SECRET: '',
  WAREHOUSE_USER_LOGIN: '',
  ANNOUNCE_URL: '',
  ANNOUNCE_SECRET: '',
  ANNOUNCE_ALLOWED_ADDRESSES: '127.0.0.1',
  DESTINATION_KEYS: destinationKeys,
});

function limitOf(holder: (typeof holders)[number]): Limit {
  if (holder === 'other') return { tenant: OTHER };
  return holder === 'account' ? { tenant: TENANT } : { tenant: TENANT, customer: holder };
}

const limitedTo = (holder: (typeof holders)[number], name = `of-${holder}`): AccessToken => ({
  name,
  roles: ['read', 'act', 'bodies'],
  token: `the-admin-token-${name}-of-${holder}`,
  limits: [limitOf(holder)],
});

const lead: AccessToken = {
  name: 'lead',
  roles: ['read', 'act', 'bodies', 'manage'],
  token: 'the-admin-token-of-lead',
  limits: undefined,
};

const actor = { token: lead.name, operator: null };

/** Members by which a record names its customer: the warehouse's own, and those that others have in their place. */
const namings: readonly ((id: number) => object)[] = [
  (id) => ({ readOnly: { customerIdentifier: { id } } }),
  (id) => ({ readOnly: { customerId: id } }),
  (id) => ({ customerId: id }),
  (id) => ({ customer: { id } }),
  (id) => ({ _links: { 'customers/customer': { href: `/customers/${id}` } } }),
];

/** Returns members of a record by which it names its customer, in one of several ways. Two ways at once have no member in common. */
function namingOf(named: Named, way = 0): object {
  const name = (id: number, by: number) => namings[by % namings.length]?.(id);
  if (named === 'unknown') return {};
  return named === 'contradicted' ? { ...name(418, way), ...name(77, way + 2) } : { ...name(Number(named), way) };
}

/** Record of a customer, as JSON text. */
const recordOf = (named: Named, way: number, note = secretOf(named)): string =>
  JSON.stringify({ ...namingOf(named, way), status: 0, referenceNum: note, note });

const isCustomer = (named: string): named is Customer => customers.some((it) => it === named);

const snapshotOf = (named: Named, text = secretOf(named)) => ({
  ...(isCustomer(named) && { customerId: named }),
  customerName: text,
  referenceNumber: text,
});

/** Row of stock of the item with a number, as a message has it. */
const stockRow = (customer: Customer, index: number) => ({
  ...namingOf(customer, index),
  facilityIdentifier: { id: 12 },
  itemIdentifier: { id: 7000 + index, sku: secretOf(customer) },
  onHand: 1,
});

const PICK_JOB = '900';

/** Pick list with rows of orders of every customer. */
const pickList = JSON.stringify({
  pickJobId: Number(PICK_JOB),
  rows: customers.map((customer, index) => ({ orderId: 9000 + index, note: secretOf(customer) })),
});

const OTHERS_RECORDS_TOKEN = 'the-records-token-of-the-other-shop';

const MINUTE_MS = 60_000;

/** Everything that somebody without limits can do to a Dockline with receivers, tokens and channels of several customers, over its store. */
export async function openWorld(database: TestDatabase) {
  let passedMs = 0;
  const store = await openIn(database, { now: () => Date.now() + passedMs });
  const env = environment();
  let config = loadConfig(env);
  const routes = noteRoutes();
  const { url: receivers, requests } = await startRecordingServer(({ target }) => ({
    status: isAway ? 503 : 200,
    body: answerOf(target.slice(1) as Holder),
  }));
  let clerkOf: Customer = '77';
  /** Token that is given to somebody else, with its name. */
  const clerk = () => limitedTo(clerkOf, 'clerk');
  const tokens = () => [lead, ...holders.map((it) => limitedTo(it)), clerk()];
  let { url, logged } = await openAdmin({ store, tokens: tokens(), env });
  const channels = await openChannels();
  const watch = openWatch(
    store,
    channels.settings,
    {},
    pino({ level: 'info' }, { write: (line) => void logged.push(line) }),
  );
  const owners = new Map<string, Owners>();
  const holdOwners = new Map<number, Customer>();
  let isAway = false;
  let events = 0;
  let lastOrder: (Pick<Delivered, 'id' | 'name' | 'time'> & { readonly subject: SubjectRef }) | undefined;
  let made = 0;
  const breaker = createBreaker({ slowMs: MINUTE_MS, retryAfterCapMs: MINUTE_MS });
  const answers: Got[] = [];

  const post = (path: string, body: object = {}, { token } = lead) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const settingsOf = (holder: Holder, name: string) => {
    made += 1;
    return {
      url: new URL(`/${holder}`, receivers).href,
      allowHttp: 'yes',
      customers: holder.split(','),
      recordsToken: `the-records-token-${made}-of-${name}`,
      secret: SECRET,
    };
  };
  const recordsTokens = new Map<string, string>();
  const managed = () => createManagedDestinations(store.destinations, config.DESTINATION_KEYS, config.tenants);
  const performer = () =>
    replaying({
      redelivery: createRedelivery(store),
      destinations: store.destinations,
    });
  const previews: number[] = [];

  async function settle(name: string, action: 'add' | 'change', customer: Owners): Promise<Record<string, unknown>> {
    const settings = settingsOf(customer, name);
    const body = { ...settings, ...(action === 'change' && { unsent: true }) };
    const answer = await post(`/destinations/${TENANT}/${name}/${action}`, body);
    if (answer.ok) {
      owners.set(name, customer);
      recordsTokens.set(name, settings.recordsToken);
    }
    return { status: answer.status, ...((await answer.json()) as object) };
  }

  const openClients = () =>
    openTenantClients(config.tenants, config, {
      observers: undefined,
      tracing: undefined,
      store,
      logger: { warn: (...line: unknown[]) => void logged.push(JSON.stringify(line)) },
    });
  let lasting: ReturnType<typeof openClients> | undefined;
  onTestFinished(async () => await lasting?.close());

  /** Opens the clients of the worker, which know what is in the store now, unless they are to last. */
  async function withDeps<T>(use: (deps: ReturnType<typeof depsOn>) => Promise<T>): Promise<T> {
    const clients = lasting ?? openClients();
    const { destinationOf } = clients;
    try {
      return await use(depsOn(store, { destinationOf, announceForMs: 0 }));
    } finally {
      if (clients !== lasting) await clients.close();
    }
  }

  /** Starts everything again, with a destination of the file that is of other customers, or with the token of the clerk given to another. */
  async function restart(): Promise<void> {
    await lasting?.close();
    if (lasting) lasting = openClients();
    const desk = owners.get(DESK);
    const env = environment(desk && deskOf(receivers, desk));
    config = loadConfig(env);
    const before = logged;
    ({ url, logged } = await openAdmin({ store, tokens: tokens(), env }));
    logged.unshift(...before);
  }

  async function take(subject: SubjectRef, event: Omit<Delivered, 'id' | 'time'>, retrieved?: Retrieved) {
    events += 1;
    const eventIds = await deliver(store, subject, { id: `${subject.tenant}:${events}`, time: events, ...event });
    await withDeps((deps) => record(deps, { subject, known: null, eventIds, ...(retrieved && { retrieved }) }));
  }

  /** Stores an order as a GET shows it, and returns what a recording is told of that. */
  async function retrieve(subject: SubjectRef, shown: Named | 'refused'): Promise<Retrieved> {
    const calls = [{ operation: 'getOrder', status: shown === 'refused' ? 403 : 200, ms: 1 }] as const;
    const refusal = { operation: 'getOrder', message: 'answered 403' } as const;
    if (shown === 'refused') return { eventIds: [], calls, snapshot: null, refused: [refusal] };
    const body = recordOf(shown, events);
    const { snapshot, disputed, facts } = readRecord('order', JSON.parse(body));
    await store.resources.put(TENANT, 'order', subject.id, body, snapshot.customerId);
    return {
      eventIds: [],
      calls,
      snapshot,
      refused: [],
      ...(facts && { facts }),
      ...(disputed && { isDisputed: true }),
    };
  }

  const ids = async () => {
    const rows = await store.db.selectFrom('announcements').select(['id', 'tenant', 'kind', 'subject_id']).execute();
    return rows;
  };

  await post(`/destinations/${OTHER}/shop/add`, {
    ...settingsOf('other', 'the-other-shop'),
    recordsToken: OTHERS_RECORDS_TOKEN,
    customers: [NAMESAKE],
  });

  /** Returns what a limited token reads at the addresses with a beginning. */
  async function readAs(
    holder: (typeof holders)[number],
    { beginning = '', only, every = 1, token = limitedTo(holder) }: Reading = {},
  ): Promise<Got[]> {
    const cookie = `dockline-board=${createSessions([token]).open(token)}`;
    const got: Got[] = [];
    const turn = holders.indexOf(holder) + events;
    const isChosen = (it: string, index: number) =>
      it.replace(/^\/board/, '').startsWith(beginning) && (index + turn) % every === 0;
    for (const path of (await readable(store, routes)).filter(isChosen))
      for (const accept of path.startsWith('/board') ? ['text/html'] : ['application/json', 'text/csv']) {
        if (only !== undefined && accept !== only) continue;
        const credentials = path.startsWith('/board') ? { cookie } : { authorization: `Bearer ${token.token}` };
        const answer = await fetch(url + path, { headers: { ...credentials, accept }, redirect: 'manual' });
        if (answer.status >= 500) throw new Error(`${path} answered ${answer.status} to ${token.name}`);
        const asked = secrets.map(idOf).filter((id) => path.includes(id));
        // An answer may repeat the id that was asked for.
        got.push([holder, asked.reduce((text, id) => text.replaceAll(id, ''), await answer.text())]);
      }
    return got;
  }

  return {
    store,
    requests,
    post,
    owners,
    setAway(away: boolean) {
      isAway = away;
    },
    /** Has the worker keep its clients, which hold what they have read of destinations for a second. */
    keepClients() {
      lasting ??= openClients();
    },
    /** Adds a receiver of everything in the first account. */
    everything: () => {
      const { customers: _, ...settings } = settingsOf('account', 'erp');
      return post(`/destinations/${TENANT}/erp/add`, settings);
    },
    add: (name: string, customer: Owners) => settle(name, 'add', customer),
    change: (name: string, customer: Owners) => settle(name, 'change', customer),
    /** Starts again with a destination of the file that is of other customers. What waits for it goes out before it is withdrawn. */
    async configure(customer: Owners) {
      owners.set(DESK, customer);
      recordsTokens.set(DESK, deskToken(customer));
      await restart();
    },
    /** Starts again with the clerk's token limited to another customer. */
    async hire(customer: Customer) {
      clerkOf = customer;
      await restart();
    },
    async remove(name: string) {
      await post(`/destinations/${TENANT}/${name}/remove`, { unsent: true });
      owners.delete(name);
      recordsTokens.delete(name);
    },
    /** Gives a destination another name; returns the status of the answer. */
    async rename(name: string, to: string): Promise<number> {
      const { status } = await post(`/destinations/${TENANT}/${name}/rename`, { to });
      if (status === 200)
        for (const known of [owners as Map<string, string>, recordsTokens]) {
          const own = known.get(name);
          known.delete(name);
          if (own !== undefined) known.set(to, own);
        }
      return status;
    },
    /** Stops a destination, for a reason that its customer knows. */
    async pause(name: string) {
      const owner = owners.get(name);
      const reason = owner && isCustomer(owner) ? secretOf(owner) : 'for all';
      await post(`/destinations/${TENANT}/${name}/pause`, { reason });
    },
    resume: (name: string) => post(`/destinations/${TENANT}/${name}/resume`),

    /** Records an item on hold, whose messages say of their customers what they say. */
    async hold(id: number, named: readonly Named[]) {
      const subject = { tenant: TENANT, kind: 'hold', id: `88${id}` } as const;
      const delivered = named.map((customer): Delivered => {
        events += 1;
        if (isCustomer(customer)) holdOwners.set(id, customer);
        const text = customer === 'unknown' ? secretOf(holdOwners.get(id) ?? customer) : secretOf(customer);
        return {
          id: `${TENANT}:${events}`,
          time: events,
          name: events % 2 ? 'InventoryPlaceOnHold' : 'InventoryReleaseFromHold',
          shown: { onHold: events % 2 === 1, ...snapshotOf(customer, text) },
          ...(isCustomer(customer) && { names: customer }),
          ...(customer === 'contradicted' && { disputed: true }),
          carriesResource: true,
          resource: recordOf(customer, events, text),
        };
      });
      const eventIds = await deliver(store, subject, ...delivered);
      await withDeps((deps) => record(deps, { subject, known: null, eventIds }));
    },

    /** Records an order, as a GET shows it or refuses to, with a message that may have a record, which may name another customer than it. */
    async order(id: number, shown: Named | 'refused', carried?: Customer, inside: Named | undefined = carried) {
      const subject = { tenant: TENANT, kind: 'order', id: `7${id}` } as const;
      await store.resources.put(TENANT, 'pickList', PICK_JOB, pickList);
      const name = events % 2 ? 'OrderUpdate' : 'OrderExcludedFromPickJob';
      lastOrder = { subject, name, id: `${TENANT}:${events + 1}`, time: events + 1 };
      await take(
        subject,
        {
          name,
          pickJobId: PICK_JOB,
          ...(carried &&
            inside && { names: carried, carriesResource: true as const, resource: recordOf(inside, events) }),
        },
        await retrieve(subject, shown),
      );
    },

    /** Records an order that is always of one customer, with a line that the warehouse does not show. */
    async own(of: Customer) {
      const subject = { tenant: TENANT, kind: 'order', id: idOf(of) } as const;
      const operation = 'getOrdersItem';
      const circuit = { tenant: TENANT, operation } as const;
      const message = `GET /orders/${idOf(of)}/items/1 answered 403`;
      const reason = breaker.reason(circuit);
      if (reason === undefined)
        breaker.failed(circuit, new DocklineError('ERR_WAREHOUSE_FORBIDDEN', message, { status: 403 }));
      const retrieved = await retrieve(subject, of);
      const refused = [{ operation, id: '1', message: reason ?? message } as const];
      await take(subject, { name: 'OrderUpdate', orderItemId: '1' }, { ...retrieved, refused });
    },

    /** Records an order of the other account, whose id is that of one of the first. */
    async foreign() {
      const subject = { tenant: OTHER, kind: 'order', id: '70' } as const;
      const record = recordOf(NAMESAKE, events, secretOf('other'));
      await store.resources.put(OTHER, 'order', subject.id, record, NAMESAKE);
      const names = { customerName: secretOf('other'), referenceNumber: secretOf('other') };
      await take(
        subject,
        { name: 'OrderUpdate', names: NAMESAKE, carriesResource: true, resource: record },
        {
          eventIds: [],
          calls: [{ operation: 'getOrder', status: 200, ms: 1 }],
          snapshot: { status: 'open', customerId: NAMESAKE, ...names },
          refused: [],
        },
      );
    },

    /** Quarantines a message of an account, of which nobody knows what it is. */
    async quarantine(of: 'other' | 'quarantined') {
      events += 1;
      const tenant = of === 'other' ? OTHER : TENANT;
      const entry = quarantinedEntry(`${tenant}:${events}`, secretOf(of));
      await store.inbox.add([{ ...entry, tenant, body: Buffer.from(secretOf(of)) }]);
    },

    /** Has the last event of an order delivered again, with a record that it lacked. */
    async again(carried: Customer) {
      if (!lastOrder) return;
      const { subject, ...event } = lastOrder;
      const resource = carried === '419' ? JSON.stringify({ note: secretOf(carried) }) : recordOf(carried, events);
      await deliver(store, subject, { ...event, names: carried, carriesResource: true, resource });
    },

    /** Records a message with rows of stock, each of which names its customer, while the message names that of the first. */
    async stock(owners: readonly Customer[]) {
      events += 1;
      const message = {
        tplId: Number(TENANT),
        wmsEventId: events,
        eventType: 'InventorySummaryUpdate',
        eventDatetimeUtc: new Date(events * MINUTE_MS).toISOString(),
        links: { 'customers/customer': `/customers/${owners[0]}` },
        resource: { body: owners.map(stockRow) },
      };
      const entry = toEntry(
        { endpoint: 'warehouse', receivedAt: 1, body: Buffer.from(JSON.stringify(message)) },
        { tenant: TENANT },
      );
      await store.inbox.add([entry]);
      for (const { event } of entry.rows ?? [entry])
        if (event) {
          const { tenant, subject: kind, subjectId: id } = event;
          await withDeps((deps) => record(deps, { subject: { tenant, kind, id }, known: null, eventIds: [event.id] }));
        }
    },

    /** Sends everything that is to be sent; what fails is a dead letter at once. */
    async announce() {
      await withDeps(async (deps) => {
        const subjects = new Map((await ids()).map((it) => [`${it.kind} ${it.subject_id}`, it]));
        for (const { tenant, kind, subject_id: id } of subjects.values()) {
          const subject = { tenant, kind, id };
          for (const [destination, unsent] of Object.entries(await store.subjects.unsent(subject)))
            if (destination !== 'default')
              await quietEnvironment()
                .run(announce, deps, { subject, destination, ids: unsent })
                .catch(() => undefined);
        }
      });
    },

    /** Sends dead letters again. */
    resend: async () => createRedelivery(store).requeue((await ids()).map(({ id }) => id)),

    /** Previews sending a destination everything again that it may have. */
    async repeat(name: string) {
      const filter = { tenant: TENANT, destination: name, since: new Date(0).toISOString() };
      const answer = await post('/bulk', { action: 'replay', filter });
      if (!answer.ok) throw new Error(`a preview answered ${answer.status}`);
      previews.push(((await answer.json()) as { readonly id: number }).id);
    },

    /** Previews the same with the clerk's token, or that of a customer, perhaps of one customer only. */
    async ask(by: Customer | 'clerk', name: string, customer?: Customer) {
      const [holder, token] = by === 'clerk' ? [clerkOf, clerk()] : [by, limitedTo(by)];
      const filter = {
        tenant: TENANT,
        destination: name,
        since: new Date(0).toISOString(),
        ...(customer && { customer }),
      };
      const answer = await post('/bulk', { action: 'replay', filter }, token);
      const text = await answer.text();
      answers.push([holder, text]);
      if (answer.ok) previews.push((JSON.parse(text) as { readonly id: number }).id);
    },

    /** Returns what limited tokens were answered when they asked for something. */
    answered: (): readonly Got[] => answers,

    /** Confirms what was previewed, and does it; what cannot be done is canceled. */
    async perform() {
      for (const id of previews.splice(0)) {
        await store.bulk.confirm(id, actor);
        const left = async () => (await store.bulk.take()).filter((it) => it.id === id);
        const deps = { store: store.bulk, items: createBulkItems(store) };
        for (let [bulk] = await left(); bulk; [bulk] = await left())
          await takeStep(deps, performer(), bulk).catch(() => store.bulk.cancel(id, actor));
      }
    },

    /** Returns what each destination's token fetches. */
    async fetched(): Promise<readonly Got[]> {
      const access = createRecordAccess(store.reads, managed());
      const find = await access.holdersOf();
      const got: Got[] = [];
      const shown = [...owners].map(([name, customer]) => [customer, recordsTokens.get(name) ?? ''] as const);
      for (const [holder, token] of [...shown, ['other', OTHERS_RECORDS_TOKEN] as const])
        for (const { id } of await ids()) {
          const announcement = await access.find(id, find(token) ?? []);
          if (announcement) got.push([holder, announcement.body]);
        }
      return got;
    },

    /** Returns what each limited token reads: some lists with what they lead to, and every so manieth page, row, file and body, of which each token takes others; none for 0. */
    async read(every: number): Promise<readonly Got[]> {
      const lists: readonly Reading[] = ['/destinations', '/health', '/quarantine', '/subjects'].map((beginning) => ({
        beginning,
        only: 'application/json',
      }));
      const parts = every > 0 ? [...lists, { every }] : lists;
      const read = holders.flatMap((holder) => parts.map((part) => readAs(holder, part)));
      const own = ['/audit', '/bulk'].map((beginning) => readAs(clerkOf, { beginning, token: clerk() }));
      return (await Promise.all([...read, ...own])).flat();
    },
    readAs,

    /** Returns what the channels for alerts are told, once everything is overdue. */
    async told(): Promise<readonly Got[]> {
      await store.db.updateTable('subjects').set({ due_at: 1, at_risk_at: 1, due_because: 'same day' }).execute();
      for (let round = 0; round < 4; round += 1) {
        passedMs += MINUTE_MS;
        await watch.round();
      }
      return channels.told();
    },

    /** Returns what the log says. */
    logged: () => logged.join('\n'),

    /** Returns what the receivers got. */
    received: (): readonly Got[] =>
      requests.map(
        ({ target, headers, body }) => [target.slice(1) as Holder, `${JSON.stringify(headers)} ${body}`] as const,
      ),
  };
}

/** What a limited token reads. */
interface Reading {
  /** Beginning of addresses, without that of the board. */
  readonly beginning?: string;
  readonly only?: string;
  readonly every?: number;
  readonly token?: AccessToken;
}

/** Returns what a receiver answers: that of the whole account nothing that a customer may have. */
function answerOf(holder: Holder): string {
  if (holder === 'account') return secretOf('quarantined');
  return holder === 'other' || isCustomer(holder) ? secretOf(holder) : '';
}

/** Opens a mailbox and an address for everybody who is limited, to which alerts go that are limited likewise. */
async function openChannels() {
  const { port, mails } = await openMailServer();
  const hooks = await Promise.all(holders.map(async (holder) => ({ holder, ...(await openReceiver()) })));
  const limits = (holder: (typeof holders)[number]) => {
    const { tenant, customer } = limitOf(holder);
    return [`tenants: ["${tenant}"]`, ...(customer === undefined ? [] : [`customers: ["${customer}"]`])];
  };
  const mail = (holder: (typeof holders)[number]) =>
    [
      `    - name: mail-${holder}`,
      'kind: email',
      `server: smtp://127.0.0.1:${port}`,
      'allowPlainText: yes',
      'from: dockline@shop.test',
      `to: [of-${holder}@shop.test]`,
      ...limits(holder),
    ].join('\n      ');
  return {
    settings: hooks.flatMap(({ holder, url }) => [webhookTo(`hook-${holder}`, url, ...limits(holder)), mail(holder)]),
    told: () =>
      holders.flatMap((holder) => [
        ...(hooks.find((it) => it.holder === holder)?.received ?? []).map(
          (it) => [holder, JSON.stringify(it)] as const,
        ),
        ...mails
          .filter(({ to }) => to.includes(`of-${holder}@shop.test`))
          .map((it) => [holder, it.text.replaceAll('=\r\n', '')] as const),
      ]),
  };
}

/** Returns the addresses of everything that can be read, with what is stored in the place of parameters. */
async function readable({ db }: Store, routes: readonly NotedRoute[]): Promise<readonly string[]> {
  const rows = await db.selectFrom('inbox').select('id').orderBy('id', 'desc').limit(12).execute();
  const announcements = await db
    .selectFrom('announcements')
    .select('id')
    .orderBy('created_at', 'desc')
    .limit(12)
    .execute();
  const subjects = await db.selectFrom('subjects').select(['tenant', 'kind', 'subject_id as id']).execute();
  const fill = ({ url }: NotedRoute): readonly string[] => {
    if (url.includes(':subject/:revision'))
      return announcements.map(({ id }) => url.replace(':subject/:revision/:milestone', id));
    if (url.includes(':kind'))
      return subjects.map((it) => url.replace(':tenant', it.tenant).replace(':kind', it.kind).replace(':id', it.id));
    if (url.includes('/destinations/:tenant'))
      return [TENANT, OTHER].flatMap((tenant) =>
        [...names, DESK].map((name) => url.replace(':tenant', tenant).replace(':name', name)),
      );
    if (/(webhooks|quarantine)\/:id/.test(url)) return rows.map(({ id }) => url.replace(':id', String(id)));
    return url.includes(':') || url.includes('*') ? [] : [url];
  };
  const isRead = ({ method, role }: NotedRoute) => method === 'GET' && (role === 'read' || role === 'bodies');
  return [...new Set(routes.filter(isRead).flatMap(fill))];
}

/** Finds secrets that somebody else got. */
export const leaksIn = (got: readonly Got[]): readonly string[] =>
  got.flatMap(([holder, text]) =>
    secrets.flatMap((of) =>
      [secretOf(of), idOf(of)].flatMap((mark) =>
        !mayHave(holder, of) && text.includes(mark) ? [`${holder} got ${mark}`] : [],
      ),
    ),
  );

const mayHave = (holder: Holder, of: Secret): boolean =>
  holder === 'account' ? of !== 'other' : holder.split(',').includes(of);
