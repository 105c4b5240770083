import { expect, it } from 'vitest';
import { findByTerm } from '../../../src/subjects/tables/subject-search.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { lifecycleAt, orderOf } from '../../support/make.ts';

describeOnBoth('the terms of subjects', (database) => {
  it('find by their beginning: equal ones first, and of those the highest id', async () => {
    const store = await openIn(database);
    for (const [id, customerName] of [
      ['1', 'Alder'],
      ['2', 'Alder'],
      ['3', 'Alderman'],
      ['4', 'Ålder'],
    ] as const)
      await recordAs(store, orderOf(id), { facts: { customerName } });
    const idsOf = async (text: string, limit = 9) => (await findByTerm(store.reads, text, limit)).map(({ id }) => id);
    expect(await idsOf('ALDER')).toEqual(['4', '2', '1', '3']);
    expect(await idsOf('alder', 2)).toEqual(['4', '2']);
    expect(await idsOf('alderm')).toEqual(['3']);
    expect(await idsOf('ålder')).toEqual(['4', '2', '1', '3']);
    for (const nothing of ['', ' ', 'b', 'lder', '%', "'"]) expect(await idsOf(nothing)).toEqual([]);
  });

  it('find any word of a name, and an id by its last digits', async () => {
    const store = await openIn(database);
    await recordAs(store, orderOf('316266578'), { facts: { customerName: 'Cobalt Cycling' } });
    await recordAs(store, orderOf('316260000'));
    const found = async (text: string) => (await findByTerm(store.reads, text, 9)).map(({ id }) => id);
    expect(await found('cycl')).toEqual(['316266578']);
    expect(await found('<875662')).toEqual(['316266578']);
  });

  it('find what begins with a text and goes on with the last characters that there are', async () => {
    const store = await openIn(database);
    await recordAs(store, orderOf('1'), { facts: { poNumber: 'po\u{10fffd}x' } });
    expect(await findByTerm(store.reads, 'PO', 9)).toEqual([orderOf('1')]);
  });

  it('change with the record, and go with an erasure', async () => {
    const store = await openIn(database);
    const termsOf = async () =>
      (await store.db.selectFrom('search_terms').select('term').orderBy('term').execute()).map(({ term }) => term);
    const lifecycle = lifecycleAt(1, { snapshot: { referenceNumber: 'Ref' } });
    await recordAs(store, orderOf('1'), { lifecycle, facts: { carrier: 'UPS', skus: ['A', 'B'] } });
    expect(await termsOf()).toEqual(['1', 'a', 'b', 'ref']);
    await recordAs(store, orderOf('1'), { lifecycle, facts: { skus: ['B', 'C'] } });
    expect(await termsOf()).toEqual(['1', 'b', 'c', 'ref']);
    await recordAs(store, orderOf('2'), { facts: { skus: ['B'] } });
    await store.erasures.erase(orderOf('1'), { by: 'ana', unsent: false });
    expect(await termsOf()).toEqual(['2', 'b']);
    const { facts } = await store.db
      .selectFrom('subjects')
      .select('facts')
      .where('subject_id', '=', '1')
      .executeTakeFirstOrThrow();
    expect(facts).toBeNull();
  });
});
