import { announce } from '../../../activities/announce.ts';
import { record } from '../../../activities/record.ts';
import type { Retrieved } from '../../../activities/retrieval.ts';
import type { AccessToken } from '../../../src/admin/access.ts';
import { createManagedDestinations } from '../../../src/app/managed-destinations.ts';
import { createRecordAccess } from '../../../src/app/record-access.ts';
import { openTenantClients } from '../../../src/app/tenant-clients.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { SubjectRef } from '../../../src/domain/catalogue/subject.ts';
import { createDeadLetters } from '../../../src/store/tables/dead-letters.ts';
import { createRepeats } from '../../../src/store/tables/repeats.ts';
import { type Delivered, deliver, depsOn, quietEnvironment } from '../../activities/deps.ts';
import { openAdmin } from '../../admin/open-admin.ts';
import { openIn, type TestDatabase } from '../../store/databases.ts';
import { startRecordingServer } from '../../warehouse/recording-server.ts';

export const customers = ['418', '77', '419'] as const;
export type Customer = (typeof customers)[number];

/** Text that is in everything of a customer, and in nothing of another. */
export const secretOf = (customer: Customer): string => `only-for-${customer}-.`;

const TENANT = '9104';

/** Variables of the configuration. */
const env = {
  WAREHOUSE_TENANT: TENANT,
  WAREHOUSE_BASE_URL: 'https://warehouse.test',
  WAREHOUSE_AUTH_URL: 'https://warehouse.test',
  WAREHOUSE_CLIENT_ID: 'id',
  WAREHOUSE_CLIENT_SECRET: 'secret',
  WAREHOUSE_USER_LOGIN: 'dockline',
  ANNOUNCE_URL: 'https://merchant.test/hook',
  ANNOUNCE_SECRET: `whsec_${'c2VjcmV0'.repeat(4)}`,
  ANNOUNCE_ALLOWED_ADDRESSES: '127.0.0.1',
  DESTINATION_KEYS: `first:${Buffer.alloc(32, 1).toString('base64')}`,
};

const limitedTo = (customer: Customer): AccessToken => ({
  name: `of-${customer}`,
  roles: ['read', 'act', 'bodies'],
  token: `the-admin-token-of-${customer}`,
  limits: [{ tenant: TENANT, customer }],
});

const lead: AccessToken = {
  name: 'lead',
  roles: ['read', 'act', 'bodies', 'manage'],
  token: 'the-admin-token-of-lead',
  limits: undefined,
};

/** Record of a customer, as JSON text. */
const recordOf = (customer: Customer): string =>
  JSON.stringify({ readOnly: { customerIdentifier: { id: Number(customer) } }, note: secretOf(customer) });

const snapshotOf = (customerId: Customer) => ({
  customerId,
  customerName: secretOf(customerId),
  referenceNumber: secretOf(customerId),
});

/** A bulk action or a reading that somebody without limits can do, over the store of a Dockline with receivers of several customers. */
export async function openWorld(database: TestDatabase) {
  const store = await openIn(database);
  const config = loadConfig(env);
  const { url: receivers, requests } = await startRecordingServer(() => ({ status: isAway ? 503 : 204 }));
  const { url } = await openAdmin({ store, tokens: [lead, ...customers.map(limitedTo)], env });
  const owners = new Map<string, Customer>();
  let isAway = false;
  let events = 0;
  let tokens = 0;

  const post = (path: string, body: object = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${lead.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const settingsOf = (customer: Customer, name: string) => {
    tokens += 1;
    return {
      url: new URL(`/${customer}`, receivers).href,
      allowHttp: 'yes',
      customers: [customer],
      recordsToken: `the-records-token-${tokens}-of-${name}`,
      secret: env.ANNOUNCE_SECRET,
    };
  };
  const recordsTokens = new Map<string, string>();

  async function settle(name: string, action: 'add' | 'change', customer: Customer): Promise<Record<string, unknown>> {
    const settings = settingsOf(customer, name);
    const body = { ...settings, ...(action === 'change' && { unsent: true }) };
    const answer = await post(`/destinations/${TENANT}/${name}/${action}`, body);
    if (answer.ok) {
      owners.set(name, customer);
      recordsTokens.set(name, settings.recordsToken);
    }
    return { status: answer.status, ...((await answer.json()) as object) };
  }

  /** Opens the clients of the worker, which know what is in the store now. */
  async function withDeps<T>(use: (deps: ReturnType<typeof depsOn>) => Promise<T>): Promise<T> {
    const clients = openTenantClients(config.tenants, config, {
      observers: undefined,
      tracing: undefined,
      store,
      logger: { warn() {} },
    });
    const { route, destinationOf } = clients;
    try {
      return await use(depsOn(store, { route, destinationOf, announceForMs: 0 }));
    } finally {
      await clients.close();
    }
  }

  async function take(subject: SubjectRef, event: Omit<Delivered, 'id' | 'time'>, retrieved?: Retrieved) {
    events += 1;
    const eventIds = await deliver(store, subject, { id: `${TENANT}:${events}`, time: events, ...event });
    await withDeps((deps) => record(deps, { subject, known: null, eventIds, ...(retrieved && { retrieved }) }));
  }

  const ids = async () => {
    const rows = await store.db.selectFrom('announcements').select(['id', 'tenant', 'kind', 'subject_id']).execute();
    return rows;
  };

  return {
    store,
    requests,
    post,
    owners,
    setAway(away: boolean) {
      isAway = away;
    },
    add: (name: string, customer: Customer) => settle(name, 'add', customer),
    change: (name: string, customer: Customer) => settle(name, 'change', customer),
    async remove(name: string) {
      await post(`/destinations/${TENANT}/${name}/remove`, { unsent: true });
      owners.delete(name);
      recordsTokens.delete(name);
    },
    pause: (name: string) => post(`/destinations/${TENANT}/${name}/pause`),
    resume: (name: string) => post(`/destinations/${TENANT}/${name}/resume`),

    /** Records an item on hold, whose messages name their customers. */
    async hold(id: number, named: readonly Customer[]) {
      const subject = { tenant: TENANT, kind: 'hold', id: `88${id}` } as const;
      const delivered = named.map((customer): Delivered => {
        events += 1;
        return {
          id: `${TENANT}:${events}`,
          time: events,
          name: events % 2 ? 'InventoryPlaceOnHold' : 'InventoryReleaseFromHold',
          shown: { onHold: events % 2 === 1, ...snapshotOf(customer) },
          carriesResource: true,
          resource: recordOf(customer),
        };
      });
      const eventIds = await deliver(store, subject, ...delivered);
      await withDeps((deps) => record(deps, { subject, known: null, eventIds }));
    },

    /** Records an order, as a GET shows it or refuses to, with a message that may have a record. */
    async order(id: number, shown: Customer | 'refused', carried?: Customer) {
      const subject = { tenant: TENANT, kind: 'order', id: `7${id}` } as const;
      const calls = [{ operation: 'getOrder', status: shown === 'refused' ? 403 : 200, ms: 1 }] as const;
      if (shown !== 'refused') await store.resources.put(TENANT, 'order', subject.id, recordOf(shown), shown);
      await take(
        subject,
        {
          name: 'OrderUpdate',
          ...(carried && { names: carried, carriesResource: true as const, resource: recordOf(carried) }),
        },
        {
          eventIds: [],
          calls,
          snapshot: shown === 'refused' ? null : { status: 'open', ...snapshotOf(shown) },
          refused: shown === 'refused' ? [{ operation: 'getOrder', message: 'answered 403' }] : [],
        },
      );
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
    resend: async () => createDeadLetters(store).requeue((await ids()).map(({ id }) => id)),

    /** Sends a destination everything again that it may have, as a bulk action does. */
    async repeat(name: string) {
      const managed = createManagedDestinations(store.destinations, config);
      const found = await managed.find({ tenant: TENANT, name });
      const all = (await ids()).map(({ id }) => id);
      if (found && all.length > 0)
        await createRepeats(store).repeat(
          all,
          { tenant: TENANT, id: found.id, filter: found.settings },
          { id: 0, createdAt: Date.now() + 1 },
        );
    },

    /** Returns what each destination's token fetches, by the customer of the destination. */
    async fetched(): Promise<readonly (readonly [Customer, string])[]> {
      const managed = createManagedDestinations(store.destinations, config);
      const access = createRecordAccess({ leftOut: store.leftOut, managed, tenants: config.tenants });
      const find = await access.holdersOf();
      const got: (readonly [Customer, string])[] = [];
      for (const [name, customer] of owners)
        for (const { id } of await ids()) {
          const announcement = await access.find(id, find(recordsTokens.get(name) ?? ''));
          if (announcement) got.push([customer, announcement.body]);
        }
      return got;
    },

    /** Returns what the limited token of each customer reads. */
    async read(): Promise<readonly (readonly [Customer, string])[]> {
      const rows = await store.db.selectFrom('inbox').select('id').execute();
      const paths = ['/webhooks', '/subjects', '/announcements', '/announcements?state=sent', '/destinations'];
      const orders = ['70', '71'].flatMap((id) => [
        `/subjects/${TENANT}/order/${id}`,
        `/board/subjects/${TENANT}/order/${id}`,
      ]);
      const got: (readonly [Customer, string])[] = [];
      for (const customer of customers)
        for (const path of [...paths, ...orders, ...rows.slice(-4).map(({ id }) => `/webhooks/${id}`)]) {
          const answer = await fetch(url + path, { headers: { authorization: `Bearer ${limitedTo(customer).token}` } });
          got.push([customer, await answer.text()]);
        }
      return got;
    },

    /** Returns what the receivers got, by their customers. */
    received: (): readonly (readonly [Customer, string])[] =>
      requests.map(
        ({ target, headers, body }) => [target.slice(1) as Customer, `${JSON.stringify(headers)} ${body}`] as const,
      ),
  };
}

/** Finds secrets that somebody else got. */
export const leaksIn = (got: readonly (readonly [Customer, string])[]): readonly string[] =>
  got.flatMap(([customer, text]) =>
    customers.flatMap((other) =>
      other !== customer && text.includes(secretOf(other)) ? [`${customer} got ${secretOf(other)}`] : [],
    ),
  );
