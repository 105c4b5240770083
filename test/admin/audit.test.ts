import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { AccessToken } from '../../src/admin/access.ts';
import { describeOnEither, openIn, type TestDatabase } from '../store/databases.ts';
import { toDefault } from '../support/make.ts';
import { playDay } from './board/warehouse-day.ts';
import { openAdmin } from './open-admin.ts';

const lead: AccessToken = { name: 'lead', roles: ['read', 'act', 'bodies'], token: 'a-token-of-this-very-test' };

describeOnEither('the audit log', (database) => {
  const open = async (on: TestDatabase) => {
    const store = await openIn(on);
    const day = await playDay(store);
    const { url, call } = await openAdmin({ store, tokens: [lead] });
    const authorization = { authorization: `Bearer ${lead.token}` };
    const act = (path: string, body?: object, headers: object = {}) =>
      call(path, {
        method: 'POST',
        ...(body && { body: JSON.stringify(body) }),
        headers: { ...authorization, ...(body && { 'content-type': 'application/json' }), ...headers },
      });
    const audit = async (query = '') => (await call(`/audit${query}`, { headers: authorization })).body;
    return { store, url, act, audit, ...day };
  };

  it('names the token, the operator, the action, its target and its outcome, newest first', async () => {
    const { act, audit, deadLetter, quarantined } = await open(database);
    const ana = { 'x-operator': 'ana' };
    await act(`/announcements/${deadLetter}/resend`, undefined, ana);
    await act(`/quarantine/${quarantined}/reprocess`, undefined, ana);
    await act('/subjects/9104/order/1/refresh');
    await act('/subjects/9104/order/1/erase');
    await act('/subjects/9104/order/3/erase', { unsent: true });
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const entry = (fields: object) => ({ id: expect.any(Number), at: time, token: 'lead', detail: null, ...fields });
    const order = (id: string) => ({ type: 'subject', id: `order:9104:${id}` });
    expect((await audit()).items).toEqual([
      entry({
        operator: null,
        action: 'erase',
        target: order('3'),
        outcome: 'done',
        detail: '0 deliveries, 0 resources, 1 announcement, 0 notes',
      }),
      entry({
        operator: null,
        action: 'erase',
        target: order('1'),
        outcome: 'refused',
        detail: 'To be recorded: 2 events; erase it afterwards.',
      }),
      // Temporal is away.
      entry({
        operator: null,
        action: 'refresh',
        target: order('1'),
        outcome: 'failed',
        detail: 'Temporal does not answer now.',
      }),
      entry({
        operator: 'ana',
        action: 'reprocess',
        target: { type: 'delivery', id: String(quarantined) },
        outcome: 'done',
        detail: 'still not understood',
      }),
      entry({
        operator: 'ana',
        action: 'resend',
        target: { type: 'announcement', id: deadLetter },
        outcome: 'done',
      }),
    ]);
  });

  it('does not log what only counts, or names nothing', async () => {
    const { act, audit } = await open(database);
    expect(await act('/subjects/9104/order/3/erase', { dryRun: true })).toMatchObject({ status: 200 });
    expect(await act('/subjects/9104/order/404/refresh')).toMatchObject({ status: 404 });
    expect(await audit()).toEqual({ items: [], next: null });
  });

  it('keeps who acted on an erased subject, and none of the reasons that were noted', async () => {
    const { store, act, audit } = await open(database);
    const target = { type: 'subject', id: 'order:9104:3' } as const;
    const actor = { token: 'lead', operator: 'ana' };
    const id = await store.audit.begin({ action: 'release', target, actor });
    await store.audit.finish(id, { outcome: 'refused', detail: 'The warehouse says: Jane Doe moved.' });
    const other = await store.audit.begin({ action: 'release', target: { ...target, id: 'order:9104:1' }, actor });
    await store.audit.finish(other, { outcome: 'refused', detail: 'Another reason.' });
    await act('/subjects/9104/order/3/erase', { unsent: true });
    expect((await audit()).items).toMatchObject([
      { action: 'erase', target, outcome: 'done' },
      { detail: 'Another reason.' },
      { action: 'release', target, outcome: 'refused', operator: 'ana', detail: null },
    ]);
  });

  it('notes a sweep once, however often its first page is tried', async () => {
    const { store, audit } = await open(database);
    const sweep = { action: 'reconcile', target: { type: 'warehouse', id: '9104' } } as const;
    const actor = { token: 'command', operator: 'ana' };
    for (const at of [1000, 1000, 2000]) await store.audit.note({ ...sweep, actor, at });
    expect((await audit()).items).toMatchObject([
      {
        ...sweep,
        at: '1970-01-01T00:00:02.000Z',
        token: 'command',
        operator: 'ana',
        outcome: 'done',
        detail: 'started',
      },
      { ...sweep, at: '1970-01-01T00:00:01.000Z' },
    ]);
  });

  it('does nothing that it cannot log', async () => {
    const { store, act, deadLetter } = await open(database);
    await sql`alter table audit rename to lost`.execute(store.db);
    const answer = await act(`/announcements/${deadLetter}/resend`);
    await sql`alter table lost rename to audit`.execute(store.db);
    // PostgreSQL's missing table may be one that an upgrade brings in a moment.
    expect([500, 503]).toContain(answer.status);
    expect(await store.outbox.lease(toDefault(deadLetter), 1)).toBeUndefined();
  });
});
