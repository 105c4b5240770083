import { describe, expect, it } from 'vitest';
import {
  type BackfillOptions,
  type SweepChangedInput,
  type SweepOpenInput,
  sweepChanged,
  sweepOpen,
} from '../../activities/sweep.ts';
import type { WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import { unknownLifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import { observe } from '../../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import { createFeed, createInbox } from '../../src/inbox/inbox.ts';
import { recordAs } from '../store/recordings.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { entryOf, orderOf } from '../support/make.ts';
import { openWarehouse } from '../warehouse/open-warehouse.ts';
import { quietEnvironment } from './deps.ts';

const startedAt = Date.parse('2026-02-11T12:00:00Z');

const row = (orderId: number, facts: object = {}) => ({
  readOnly: { orderId, status: 0, fullyAllocated: false, lastModifiedDate: '2026-02-11T11:00:00', ...facts },
});

/** The activities before a warehouse that lists these rows, whatever it is asked for, with a store and an inbox. */
async function open(listed: readonly object[]) {
  const rows = [...listed];
  const { warehouse, gets } = await openWarehouse({
    api: () => ({ body: { _embedded: { order: rows } } }),
  });
  const store = await openTemporaryStore();
  const inbox = createInbox({ rows: store.inbox, limit: 10_000 });
  const noted: object[] = [];
  const deps = {
    listingOf: () => warehouse,
    known: store.known,
    feed: createFeed({ inbox }),
    onAsked: async (asked: object) => void noted.push(asked),
  };
  const sweeping = { tenant: '9104', kind: 'order', startedAt } as const;
  const firstPage = { ...sweeping, since: 0, after: '', pageSize: 100 } as const;
  const environment = quietEnvironment();
  return {
    rows,
    gets,
    noted,
    know: (id: string, snapshot: Snapshot) =>
      recordAs(store, orderOf(id), { lifecycle: observe(unknownLifecycle, [], snapshot).lifecycle }),
    changed: (input: Partial<SweepChangedInput> = {}) =>
      environment.run(sweepChanged, deps, { ...firstPage, ...input }),
    backfill: (options: Partial<BackfillOptions> = {}) =>
      environment.run(sweepChanged, deps, {
        ...firstPage,
        backfill: { open: false, dryRun: false, ...options },
      }),
    open: (input: Partial<SweepOpenInput> = {}) =>
      environment.run(sweepOpen, deps, { ...sweeping, after: '', quietMs: 0, ...input }),
    /** Has an event of an order wait in the inbox. */
    waits: (id: string) => store.inbox.add([entryOf(id, 1000 + Number(id))]),
    /** Observes all that waits in the inbox. */
    settle: () => store.db.updateTable('inbox').set({ observed_at: startedAt }).execute(),
    /** Events that wait in the inbox, oldest first. */
    async taken(): Promise<WarehouseEvent[]> {
      const written = await store.db.selectFrom('inbox').select('event').orderBy('id').execute();
      return written.map(({ event }) => JSON.parse(event ?? ''));
    },
    bodies: async () =>
      (await store.db.selectFrom('inbox').select(['endpoint', 'subject_key', 'body']).execute()).map(
        ({ body, ...entry }) => ({ ...entry, body: JSON.parse(Buffer.from(body).toString()) }),
      ),
  };
}

const openOrder: Snapshot = { status: 'open', fullyAllocated: false };

describe('a page of changed subjects', () => {
  it('is noted before it is listed, if somebody asked for the sweep', async () => {
    const { changed, noted } = await open([]);
    await changed();
    expect(noted).toEqual([]);
    await changed({ asked: { action: 'reconcile', by: 'ana' } });
    expect(noted).toEqual([{ tenant: '9104', startedAt, action: 'reconcile', by: 'ana' }]);
  });

  it('is added to the inbox if it differs from the store', async () => {
    const { know, changed, taken } = await open([row(1), row(2, { status: 1 }), row(3), row(4, { status: 2 })]);
    await know('1', openOrder);
    await know('2', openOrder);
    await know('4', { status: 'canceled' });
    expect(await changed()).toEqual({
      rows: 4,
      open: 0,
      differing: 2,
      missing: 0,
      fed: 2,
      next: '4',
    });
    expect(await taken()).toMatchObject([
      { name: 'Reconciliation', tenant: '9104', subject: 'order', subjectId: '2' },
      { name: 'Reconciliation', tenant: '9104', subject: 'order', subjectId: '3' },
    ]);
  });

  it('does not differ if it merely shows less than the store', async () => {
    const { know, changed } = await open([row(1, { fullyAllocated: undefined, status: undefined })]);
    await know('1', {
      status: 'closed',
      fullyAllocated: true,
      pickDone: true,
      packDone: true,
      lineCount: 3,
      pickJobId: '7',
    });
    expect(await changed()).toMatchObject({ rows: 1, differing: 0 });
  });

  it('leaves in the inbox what was compared', async () => {
    const { know, changed, bodies } = await open([row(2, { status: 1 })]);
    await know('2', openOrder);
    await changed();
    expect(await bodies()).toEqual([
      {
        endpoint: 'reconciliation',
        subject_key: 'order:9104:2',
        body: {
          listed: expect.objectContaining({ status: 'closed', fullyAllocated: false }),
          known: { revision: 1, stage: 'created' },
        },
      },
    ]);
  });

  it('is added once, until the listing or the store has changed', async () => {
    const { rows, know, changed, taken, settle } = await open([row(1, { status: 1 })]);
    expect(await changed()).toMatchObject({ differing: 1, fed: 1 });
    await settle();
    expect(await changed({ startedAt: startedAt + 3_600_000 })).toMatchObject({ differing: 1, fed: 0 });
    await know('1', openOrder);
    expect(await changed()).toMatchObject({ differing: 1, fed: 1 });
    await settle();
    rows[0] = row(1, { status: 2 });
    expect(await changed()).toMatchObject({ differing: 1, fed: 1 });
    const ids = (await taken()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => /^reconciliation:[0-9a-f]{64}$/.test(id))).toBe(true);
  });

  it('is none while an event of its subject waits, whose GET shows it', async () => {
    const { rows, changed, open: openOnes, know, waits, settle } = await open([row(1, { status: 1 }), row(2)]);
    await know('1', openOrder);
    await know('3', openOrder);
    for (const id of ['1', '2', '3']) await waits(id);
    expect(await changed()).toMatchObject({ differing: 0, fed: 0 });
    const unknown = rows.splice(1);
    expect(await openOnes()).toMatchObject({ differing: 0, missing: 0, fed: 0 });
    rows.push(...unknown);
    await settle();
    expect(await changed()).toMatchObject({ differing: 2, fed: 2 });
  });

  it('is added again on another day: a GET may have been behind the listing', async () => {
    const { changed, settle } = await open([row(1)]);
    await changed();
    await settle();
    expect(await changed({ startedAt: startedAt + 86_400_000 })).toMatchObject({ differing: 1, fed: 1 });
  });

  it.each([
    ['a page with rows', [row(1)], '1'],
    ['a page without rows', [], null],
  ])('is followed by another one or not: %s', async (_, rows, next) => {
    const { changed } = await open(rows);
    expect(await changed()).toMatchObject({ next });
  });
});

describe('what is believed to be open', () => {
  it('is fetched if the warehouse no longer lists it', async () => {
    const { know, open: sweep, taken, bodies } = await open([row(1), row(3, { fullyAllocated: true })]);
    for (const id of ['1', '2', '3']) await know(id, openOrder);
    await know('4', { status: 'closed' });
    expect(await sweep()).toEqual({ rows: 0, open: 3, differing: 1, missing: 1, fed: 2, next: null });
    const [differing, missing] = await taken();
    expect(differing).toMatchObject({ subjectId: '3' });
    expect(differing).not.toHaveProperty('missing');
    expect(missing).toMatchObject({ subjectId: '2', missing: true });
    expect((await bodies())[1]?.body).toEqual({ listed: null, known: { revision: 1, stage: 'created' } });
  });

  it('counts as differing only if it was not listed as changed already', async () => {
    const { know, changed, open: sweep } = await open([row(1, { fullyAllocated: true })]);
    await know('1', openOrder);
    expect(await changed()).toMatchObject({ differing: 1, fed: 1 });
    expect(await sweep()).toMatchObject({ open: 1, differing: 0, fed: 0 });
  });

  it('is asked for a hundred at a time', async () => {
    const { know, open: sweep, gets } = await open([]);
    for (let id = 1000; id < 1150; id += 1) await know(String(id), openOrder);
    const first = await sweep();
    expect(first).toMatchObject({ missing: 100, next: '1099' });
    expect(await sweep({ after: first.next ?? '' })).toMatchObject({ missing: 50, next: null });
    expect(gets()).toHaveLength(2);
  });

  it('is not requested if there is none', async () => {
    const { know, open: sweep, gets } = await open([]);
    await know('1', { status: 'canceled' });
    expect(await sweep()).toEqual({ rows: 0, open: 0, differing: 0, missing: 0, fed: 0, next: null });
    expect(gets()).toEqual([]);
  });

  it('is left alone while it may still be under way', async () => {
    const { know, open: sweep } = await open([]);
    await know('1', openOrder);
    expect(await sweep({ quietMs: 60_000 })).toMatchObject({ missing: 0 });
  });
});

describe('a backfill', () => {
  it('adds what is unknown once, however often it runs, and nothing in a dry run', async () => {
    const { know, backfill, taken, settle } = await open([row(1), row(2, { status: 1 })]);
    await know('2', openOrder);
    expect(await backfill({ dryRun: true })).toMatchObject({ rows: 2, differing: 1, fed: 0 });
    expect(await backfill()).toMatchObject({ rows: 2, differing: 1, fed: 1 });
    await settle();
    expect(await backfill()).toMatchObject({ differing: 1, fed: 0 });
    expect(await taken()).toMatchObject([{ name: 'Backfill', subjectId: '1', listed: { status: 'open' } }]);
  });
});
