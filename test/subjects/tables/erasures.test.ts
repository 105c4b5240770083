import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/app/store.ts';
import { findBody } from '../../../src/inbox/tables/quarantined.ts';
import type { Database } from '../../../src/store/schema.ts';
import { findSubject } from '../../../src/subjects/views/subject/row.ts';
import { describeOnBoth, openIn, type TestDatabase } from '../../store/databases.ts';
import { fillAs } from '../../store/owners.ts';
import { observe, recordAs, recordNext } from '../../store/recordings.ts';
import { announcementOf, entryOf, lifecycleAt, order, orderOf, toDefault } from '../../support/make.ts';

const names = { referenceNumber: 'PO-1', customerName: 'Jane Doe', facilityName: 'Jane Barn' };

type Columns = { readonly [Table in keyof Database]?: 'all' | readonly (keyof Database[Table])[] };

/** Columns with the texts that a person of a subject may be named in, in which an erasure leaves none. Any other column of the schema is one. */
const nameless: Columns = {
  installation: 'all',
  // Of the installation, or of what an erasure leaves: who did what, and how much.
  tokens: 'all',
  processes: 'all',
  rate_slots: 'all',
  page_limits: 'all',
  answers: 'all',
  destinations: 'all',
  event_names: 'all',
  ended_sessions: 'all',
  alerts: 'all',
  alert_messages: 'all',
  alert_silences: 'all',
  alert_watch: 'all',
  acknowledgements: 'all',
  erasures: 'all',
  audit: ['token', 'operator', 'action', 'target_type', 'target', 'outcome'],
  bulk_actions: ['action', 'filter', 'identity', 'state', 'created_by', 'token', 'sample', 'position', 'trouble'],
  // Dedupe keys, milestones, rules of deadlines, and what lead times are grouped by.
  inbox: ['endpoint', 'event_id', 'retained'],
  due: ['step'],
  lead_times: ['facility_id', 'carrier', 'waited'],
  subjects: ['stage', 'announced_to', 'due_because', 'due_rules', 'due_zone', 'taken_by', 'facility_id'],
  resources: ['id'],
  announcements: ['id'],
  outbox: ['announcement', 'destination'],
  attempts: ['announcement', 'destination'],
};

/** Columns that say which subject it is, in each table that has them. */
const identifying: readonly string[] = ['tenant', 'kind', 'subject_id', 'subject_key', 'customer_id'];

/** Texts of columns that are read by an erasure. */
const readable: Readonly<Record<string, string>> = {
  'subjects.lifecycle': JSON.stringify(lifecycleAt(1, { snapshot: { referenceNumber: 'jane doe' } })),
  'search_terms.term': 'jane doe',
  'bulk_actions.failures': JSON.stringify([{ target: 'order:9104:1', error: 'jane doe' }]),
};

/** Lists the columns of texts and bytes, as `table.column`. */
async function nameableColumns({ db }: Store): Promise<readonly string[]> {
  const tables = (await db.introspection.getTables()).filter(({ name }) => !name.startsWith('kysely'));
  return tables.flatMap(({ name: table, columns }) => {
    const left = nameless[table as keyof Database] ?? [];
    return left === 'all'
      ? []
      : columns
          .filter(({ dataType }) => /^(text|varchar|blob|bytea)/i.test(dataType))
          .filter(({ name }) => ![...identifying, ...left].includes(name))
          .map(({ name }) => `${table}.${name}`);
  });
}

/** Lists the columns in which somebody is named. */
async function naming({ db }: Store, pattern: RegExp): Promise<readonly string[]> {
  const tables = (await db.introspection.getTables()).filter(({ name }) => !name.startsWith('kysely'));
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
      const cells = rows.flatMap((row) => Object.entries(row));
      return cells.filter(([, value]) => pattern.test(textOf(value))).map(([column]) => `${name}.${column}`);
    }),
  );
  return [...new Set(found.flat())].toSorted();
}

const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);

describeOnBoth('an erasure', (database: TestDatabase) => {
  /** Opens a store with a sent announcement, a delivery and records of an order, and those of another one. */
  async function openFilled() {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1), entryOf('2', 2)]);
    await observe(store, '1');
    await observe(store, '2');
    const lifecycle = lifecycleAt(1, { snapshot: { customerId: '418', ...names } });
    await recordAs(store, order, { lifecycle, announcements: [announcementOf(1)] });
    for (const [kind, id] of [
      ['order', '1'],
      ['orderItem', '1/7'],
      ['customer', '418'],
      ['order', '2'],
      ['orderItem', '12/7'],
    ] as const)
      await store.resources.put('9104', kind, id, '{"name":"Jane Doe"}');
    return store;
  }
  const erase = ({ erasures }: Awaited<ReturnType<typeof openFilled>>, unsent = false) =>
    erasures.erase(order, { by: 'ada', unsent });

  it('removes bodies, records, announcements and names of its subject only, and leaves the fact', async () => {
    const store = await openFilled();
    await store.outbox.sent(toDefault(announcementOf(1).id), { status: 204, ms: 1 });
    for (const subject of [order, orderOf('2')])
      await store.notes.add(subject, 'Jane Doe called', { token: 'lead', operator: null });
    const counts = { deliveries: 1, resources: 3, announcements: 1, notes: 1 };
    expect(await store.erasures.preview(order)).toEqual({ ...counts, waiting: 0, unsent: 0 });
    expect(await erase(store)).toMatchObject({ ...counts, isErased: true });
    expect(await store.erasures.preview(order)).toMatchObject({
      deliveries: 0,
      resources: 0,
      announcements: 0,
      notes: 0,
    });
    expect(await store.db.selectFrom('erasures').selectAll().execute()).toMatchObject([
      { ...counts, erased_by: 'ada' },
    ]);
    const found = await findSubject(store, order);
    expect(found).toMatchObject({ revision: 1, referenceNumber: null, lifecycle: { snapshot: { customerId: '418' } } });
    expect(JSON.stringify(found)).not.toMatch(/Jane|PO-1/);
    expect(await findBody(store.db, '9104:1')).toBeUndefined();
    expect(await findBody(store.db, '9104:2')).toBeDefined();
    expect(await store.resources.find('9104', 'order', '2')).toBeDefined();
    expect(await store.resources.find('9104', 'orderItem', '12/7')).toBeDefined();
    expect(await store.db.selectFrom('notes').select('subject_id').execute()).toEqual([{ subject_id: '2' }]);
  });

  it('leaves no name in any column of the schema that could have one', async () => {
    const store = await openIn(database);
    await fillAs(store, '1', { tenant: '9104', customer: '418' });
    await sql`update audit set subject_key = 'order:9104:1'`.execute(store.db);
    const columns = await nameableColumns(store);
    for (const place of columns) {
      const [table = '', column = ''] = place.split('.');
      const text = readable[place] ?? '["jane doe"]';
      const value = ['body', 'answer'].includes(column) ? Buffer.from(text) : text;
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(store.db);
    }
    expect(await naming(store, /jane doe/)).toEqual(columns.toSorted());
    expect(await erase(store, true)).toMatchObject({ isErased: true });
    expect(await naming(store, /jane doe/)).toEqual([]);
  });

  it('is refused while an announcement is unsent, unless it is asked for', async () => {
    const store = await openFilled();
    expect(await erase(store)).toMatchObject({ isErased: false, unsent: 1 });
    expect(await store.subjects.unsent(order)).toMatchObject({ default: { length: 1 } });
    expect(await store.db.selectFrom('erasures').selectAll().execute()).toEqual([]);
    expect(await erase(store, true)).toMatchObject({ isErased: true });
    expect(await store.outbox.lease(toDefault(announcementOf(1).id), 1)).toBeUndefined();
  });

  it('is refused while an event waits to be recorded', async () => {
    const store = await openFilled();
    await store.inbox.add([entryOf('1', 3)]);
    expect(await erase(store, true)).toMatchObject({ isErased: false, waiting: 1 });
    expect(await findBody(store.db, '9104:3')).toBeDefined();
  });

  it('is not undone by a delivery that is sent again; a new event is new data with the next revision', async () => {
    const store = await openFilled();
    await erase(store, true);
    expect(await store.inbox.add([entryOf('1', 1), entryOf('1', 4)])).toEqual([false, true]);
    await recordNext(store, order, ['9104:4']);
    expect(await store.subjects.unsent(order)).toEqual({ default: [announcementOf(2).id] });
  });
});
