import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { limitReads } from '../../src/store/limited-reads.ts';
import { prepared } from '../../src/store/rows.ts';
import type { Database } from '../../src/store/schema.ts';
import { describeOnBoth, openIn } from './databases.ts';
import { fillAs, type Owner } from './owners.ts';

/** Owners of the rows in the store, by the mark that is in each of them: two customers of an account, nobody, and another account. */
const owners = {
  alder: { tenant: '9104', customer: '418' },
  beech: { tenant: '9104', customer: '419' },
  nobody: { tenant: '9104', customer: null },
  elsewhere: { tenant: '9105', customer: '418' },
} as const satisfies Record<string, Owner>;

type Mark = keyof typeof owners;

const limits = { account: [{ tenant: '9104' }], customer: [{ tenant: '9104', customer: '418' }] } as const;

const account: readonly Mark[] = ['alder', 'beech', 'nobody'];
const none: readonly Mark[] = [];

/** Owners whose rows of a table a token reads that is limited to the account 9104, and to its customer 418. */
const visible: Readonly<Record<keyof Database, Record<keyof typeof limits, readonly Mark[]>>> = {
  subjects: { account, customer: ['alder'] },
  lead_times: { account, customer: ['alder'] },
  announcements: { account, customer: ['alder'] },
  outbox: { account, customer: ['alder'] },
  attempts: { account, customer: ['alder'] },
  inbox: { account, customer: ['alder'] },
  destinations: { account, customer: ['alder'] },
  resources: { account, customer: ['alder'] },
  search_terms: { account, customer: ['alder'] },
  erasures: { account, customer: none },
  notes: { account, customer: none },
  // How the warehouse answers the whole account, which names no record.
  answers: { account, customer: account },
  page_limits: { account, customer: account },
  // Those of the token, which is named as alder is.
  audit: { account: ['alder'], customer: ['alder'] },
  bulk_actions: { account: ['alder'], customer: ['alder'] },
  due: { account: none, customer: none },
  tokens: { account: none, customer: none },
  ended_sessions: { account: none, customer: none },
  processes: { account: none, customer: none },
  installation: { account: none, customer: none },
  rate_slots: { account: none, customer: none },
  alerts: { account: none, customer: none },
  alert_messages: { account: none, customer: none },
  alert_silences: { account: none, customer: none },
  alert_watch: { account: none, customer: none },
  acknowledgements: { account: none, customer: none },
  event_names: { account: none, customer: none },
};

describeOnBoth('a limited connection', (database) => {
  it('reads of each table what is within the limits', async () => {
    const store = await openIn(database);
    for (const [mark, owner] of Object.entries(owners)) await fillAs(store, mark, owner);
    for (const table of Object.keys(visible) as (keyof Database)[]) {
      for (const extent of ['account', 'customer'] as const) {
        const limited = limitReads(store.reads, { token: 'alder', limits: limits[extent] });
        const expected = [table, extent, ...visible[table][extent]];
        const built = await limited.selectFrom(table).selectAll().execute();
        const { rows: raw } = await sql`select * from ${sql.raw(table)}`.execute(limited);
        const { rows: nested } = await sql`with x as (select * from ${sql.raw(table)} as y) select * from x`.execute(
          limited,
        );
        for (const rows of [built, raw, nested]) expect([table, extent, ...marksIn(rows)]).toEqual(expected);
      }
      // What is compared is there.
      const marks = marksIn(await store.reads.selectFrom(table).selectAll().execute());
      expect([table, ...marks]).toEqual([table, ...Object.keys(owners)]);
    }
  });

  it('is not answered what a query read that was built without limits, nor the other way round', async () => {
    const store = await openIn(database);
    for (const [mark, owner] of Object.entries(owners)) await fillAs(store, mark, owner);
    const limited = limitReads(store.reads, { token: 'alder', limits: limits.customer });
    const everybodys = prepared((db, { tenant }: { readonly tenant: string }) =>
      db.selectFrom('inbox').selectAll().where('tenant', '=', tenant),
    );
    for (let time = 0; time < 2; time += 1) {
      expect(marksIn(await everybodys(limited, { tenant: '9104' }))).toEqual(['alder']);
      expect(marksIn(await everybodys(store.reads, { tenant: '9104' }))).toEqual(account);
    }
    expect(marksIn(await everybodys(store.reads, { tenant: '9105' }))).toEqual(['elsewhere']);
  });

  it('takes no writes', async () => {
    const store = await openIn(database);
    await fillAs(store, 'alder', owners.alder);
    const limited = limitReads(store.db, { token: 'alder', limits: limits.account });
    const before = await store.db.selectFrom('inbox').select('id').execute();
    await expect(limited.deleteFrom('inbox').execute()).rejects.toThrow('only reads');
    await expect(limited.updateTable('inbox').set({ event: null }).execute()).rejects.toThrow('only reads');
    await expect(sql`delete from inbox returning id`.execute(limited)).rejects.toThrow('syntax error');
    await expect(sql`with x as (delete from inbox returning id) select * from x`.execute(limited)).rejects.toThrow();
    expect(await store.db.selectFrom('inbox').select('id').execute()).toEqual(before);
  });
});

/** Returns the marks that are in rows, in the order of the owners. */
function marksIn(rows: readonly unknown[]): readonly string[] {
  const values = rows.flatMap((row) => Object.values(row as object));
  const texts = values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)));
  return Object.keys(owners).filter((mark) => texts.some((text) => text.includes(mark)));
}
