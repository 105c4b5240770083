import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { pageOf } from '../../../src/admin/views/place.ts';
import type { Store } from '../../../src/app/store.ts';
import { unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { readStatus } from '../../../src/health/views/status.ts';
import { readEverything } from '../../../src/store/limited-reads.ts';
import type { SubjectQuery } from '../../../src/subjects/views/filters.ts';
import { subjectList } from '../../../src/subjects/views/list.ts';
import { findSubject, selectSubjects, toSubject } from '../../../src/subjects/views/subject/row.ts';
import { openTestHealth } from '../../health/sound-machine.ts';
import { describeOnEither, openIn, type TestDatabase } from '../../store/databases.ts';
import { freshReadings } from '../../store/fresh-readings.ts';
import { observe, recordAs } from '../../store/recordings.ts';
import type { TestStore } from '../../store/temporary-store.ts';
import { entryOf, lifecycleAt, order, orderOf, quarantinedEntry, reached } from '../../support/make.ts';

const stalled = lifecycleAt(1, { registers: reached('stalled') });
const deleted = lifecycleAt(1, { registers: reached('deleted') });
const busy = { operation: 'getOrder', error: 'answered 503', nextTryAt: 9_000 };
const refused = [{ operation: 'getUser', id: '2108', message: 'GET answered 403', since: 1 }] as const;

/** Opens a store with subjects that have none, one, several and all reasons for attention. */
async function openWith(database: TestDatabase) {
  const clock = { now: 1_000 };
  const store = await openIn(database, { now: () => clock.now });
  const at = (id: string) => orderOf(id);
  await recordAs(store, at('calm'));
  await recordAs(store, at('gone'), { lifecycle: deleted, refused });
  await recordAs(store, at('stalled'), { lifecycle: stalled });
  await recordAs(store, at('two'), { lifecycle: stalled, refused });
  await recordAs(store, at('all'), { lifecycle: stalled, refused, isUnannounced: true });
  await store.activityFailures.note(at('all'), 'retrieving', { ...busy, status: 503 });
  clock.now = 2_000;
  await store.activityFailures.note(at('all'), 'announcing', { ...busy, operation: 'announce', nextTryAt: 4_000 });
  await store.activityFailures.note(at('unknown'), 'retrieving', { ...busy, error: 'no answer', nextTryAt: 10_000 });
  return { ...store, clock };
}

describeOnEither('listed subjects', (database) => {
  it('show all reasons for attention together', async () => {
    const { reads } = await openWith(database);
    const listed = (await selectSubjects(reads).orderBy('id').execute()).map(toSubject);
    expect(listed.map(({ id, attention }) => [id, attention])).toEqual([
      ['all', ['stalled', 'refused', 'unannounced', 'failing']],
      ['calm', []],
      ['gone', []],
      ['stalled', ['stalled']],
      ['two', ['stalled', 'refused']],
      ['unknown', ['failing']],
    ]);
    expect(listed[0]).toMatchObject({
      refused: [{ operation: 'getUser', message: 'GET answered 403' }],
      retrieving: { ...busy, nextTryAt: new Date(9_000), since: new Date(1_000), attempts: 1 },
      announcing: { operation: 'announce', since: new Date(2_000), attempts: 1 },
    });
    expect(listed[1]).toMatchObject({ refused: [], retrieving: null, announcing: null });
  });

  it('include subjects with nothing but a failure', async () => {
    const store = await openWith(database);
    expect(await findSubject(store, orderOf('unknown'))).toMatchObject({
      revision: 0,
      lifecycle: unknownLifecycle,
    });
  });
});

const statusOf = (store: Pick<TestStore, 'reads' | 'now'>) =>
  readStatus({ ...freshReadings(store), incidents: openTestHealth(store).whole.open });

describeOnEither('the counts', (database) => {
  it('include a subject for each of its reasons', async () => {
    const counts = await statusOf(await openWith(database));
    expect(counts.attention).toEqual({ stalled: 3, refused: 2, unannounced: 1, failing: 2 });
  });

  it('include the waiting events, which are neither observed nor quarantined, with the time of the oldest', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('a', 100), entryOf('b', 200), entryOf('c', 300), quarantinedEntry('p')]);
    await observe(store, 'a');
    await store.inbox.quarantine(['9104:200'], { code: 'unrecordable', message: 'because' });
    expect(await statusOf(store)).toMatchObject({
      inbox: { waiting: 1, oldestReceivedAt: new Date(300), quarantined: 2 },
    });
  });
});

describeOnEither('the list by deadline', (database) => {
  /** Stores many orders, of which one in ten is open and has a deadline. */
  async function addMany({ db }: Pick<Store, 'db'>) {
    const numbers =
      database.name === 'SQLite'
        ? sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${MANY}) select n from numbers`
        : sql`select n from generate_series(1, ${sql.lit(MANY)}) as n`;
    await sql`insert into subjects (tenant, kind, subject_id, stage, stage_since, revision, lifecycle, customer_id,
        last_event_at, created_at, updated_at, due_at, at_risk_at)
      select '9104', 'order', cast(n as text), case when n % 10 = 0 then 'created' else 'confirmed' end, n, 1,
        ${JSON.stringify(unknownLifecycle)}, cast(n % 7 as text), 1, n, 1, n, n - 5
      from (${numbers}) as numbers`.execute(db);
    await sql`analyze`.execute(db);
  }

  it('reads a page from an index in its order', async () => {
    const store = await openIn(database);
    await addMany(store);
    const planOf = async (filter: SubjectQuery, given: object = {}) => {
      const query = { due: 'onTime', ...filter } as const;
      const matching = await subjectList.match({ reads: readEverything(store.db) }, query);
      const page = pageOf(matching, subjectList.order(query), { limit: 50, ...given });
      const rows = await (database.name === 'SQLite' ? page.explain(undefined, sql`query plan`) : page.explain());
      return rows.map((row) => Object.values(row).at(-1)).join('\n');
    };
    const plans = [
      await planOf({}),
      await planOf({ due: 'overdue' }),
      await planOf({ kind: 'order' }),
      await planOf({ tenant: '9104', customer: '4' }),
      await planOf({}, { after: [500, order.tenant, order.kind, order.id] }),
    ];
    for (const plan of plans) {
      expect(plan).toMatch(/Index Scan using subjects_due on|USING INDEX subjects_due/);
      // Those of equal deadlines may be sorted among each other.
      expect(plan).not.toMatch(/^ *(-> +)?Sort|Seq Scan on subjects|TEMP B-TREE FOR ORDER BY|SCAN subjects$/m);
    }
  });
});

/** More rows than either database would rather read and sort. */
const MANY = 20_000;
