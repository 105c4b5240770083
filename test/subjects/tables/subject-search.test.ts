import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { SubjectKind } from '../../../src/domain/catalogue/subject.ts';
import type { Lifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { openSubjects } from '../../../src/subjects/tables/subject-search.ts';
import { describeOnBoth, openIn, type TestDatabase } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { lifecycleOf, reached } from '../../support/make.ts';

const lifecycleAt = (milestone: Milestone): Lifecycle => lifecycleOf({ revision: 1, registers: reached(milestone) });

/** Opens a store with a manual clock and these orders. */
async function openWith(database: TestDatabase, orders: Readonly<Record<string, Milestone>>) {
  let time = 1_000_000;
  const store = await openIn(database, { now: () => time });
  const record = (id: string, milestone: Milestone, { tenant = '9104', kind = 'order' as SubjectKind } = {}) =>
    recordAs(store, { tenant, kind, id }, { lifecycle: lifecycleAt(milestone) });
  for (const [id, milestone] of Object.entries(orders)) await record(id, milestone);
  return {
    ...store,
    record,
    advance: (ms: number) => {
      time += ms;
    },
  };
}

const open = { tenant: '9104', kind: 'order', after: '', quietMs: 0, limit: 10 } as const;
const idsOf = (subjects: readonly { readonly id: string }[]) => subjects.map(({ id }) => id);

describeOnBoth('subjects searched in bulk', (database) => {
  it('are found by their ids with their lifecycles, except unknown ones', async () => {
    const { known } = await openWith(database, { '1': 'created', '2': 'picked', '3': 'packed' });
    const found = await known.findAll('9104', 'order', ['2', '3', '4']);
    expect(found.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: '2', lifecycle: lifecycleAt('picked') },
      { id: '3', lifecycle: lifecycleAt('packed') },
    ]);
    expect(await known.findAll('9104', 'order', [])).toEqual([]);
  });

  it('belong to one tenant and kind', async () => {
    const { known, record } = await openWith(database, {});
    await record('1', 'created', { tenant: '9105' });
    await record('2', 'created', { kind: 'receipt' });
    expect(await known.findAll('9104', 'order', ['1', '2'])).toEqual([]);
    expect(await known.findOpen(open)).toEqual([]);
  });
});

describeOnBoth('open subjects', (database) => {
  it('are neither confirmed, canceled nor deleted', async () => {
    const { known } = await openWith(database, {
      '1': 'confirmed',
      '2': 'created',
      '3': 'canceled',
      '4': 'unconfirmed',
      '5': 'deleted',
      '6': 'packed',
    });
    expect(idsOf(await known.findOpen(open))).toEqual(['2', '4', '6']);
  });

  it('are returned page by page in the order of ids', async () => {
    const { known } = await openWith(database, { '30': 'created', '10': 'created', '20': 'created' });
    expect(idsOf(await known.findOpen({ ...open, limit: 2 }))).toEqual(['10', '20']);
    expect(idsOf(await known.findOpen({ ...open, limit: 2, after: '20' }))).toEqual(['30']);
  });

  it('are left out if they were recorded recently', async () => {
    const { known, record, advance } = await openWith(database, { '1': 'created' });
    advance(60_000);
    await record('2', 'created');
    advance(5_000);
    expect(idsOf(await known.findOpen({ ...open, quietMs: 60_000 }))).toEqual(['1']);
  });
});

describe('open subjects', () => {
  it('are found by an index that excludes all others', async () => {
    const { db } = await openTemporaryStore();
    const plan = await openSubjects(db, open, 0).explain<{ detail: string }>(undefined, sql`query plan`);
    expect(plan.map(({ detail }) => detail).join()).toMatch(
      /subjects_open \(tenant=\? AND kind=\? AND subject_id>\?\)$/,
    );
  });
});
