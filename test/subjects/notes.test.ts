import { expect, it } from 'vitest';
import type { AccessToken } from '../../src/admin/access.ts';
import { createSessions } from '../../src/admin/board/session.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { record } from '../destinations/record.ts';
import { describeOnEither, openIn, type TestDatabase } from '../store/databases.ts';

const lead: AccessToken = { name: 'lead', roles: ['read', 'act'], token: 'the-token-of-lead' };
const clerk: AccessToken = { name: 'clerk', roles: ['read'], token: 'the-token-of-clerk' };
const acme: AccessToken = { ...lead, name: 'acme', token: 'a-token', limits: [{ tenant: '9104', customer: '418' }] };

/** Body of a call, and the operator who makes it. */
interface Rest {
  readonly body?: object;
  readonly operator?: string;
}

const path = '/subjects/9104/order/31';

describeOnEither('notes on a subject', (database: TestDatabase) => {
  async function open() {
    const store = await openIn(database);
    for (const key of ['order:9104:31', 'order:9104:32'])
      await record(store, key, { snapshot: { status: 'open', customerId: '418' } });
    const { url, call } = await openAdmin({ store, tokens: [lead, clerk, acme] });
    const send = (method: string, path: string, token = lead, { body, operator = '' }: Rest = {}) =>
      call(path, {
        method,
        headers: {
          authorization: `Bearer ${token.token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(operator && { 'x-operator': operator }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const note = (text: string, operator = '', of = path) =>
      send('POST', `${of}/notes`, lead, { body: { text }, operator });
    const page = async (path: string, { token = lead, form }: { token?: AccessToken; form?: string } = {}) => {
      const response = await fetch(`${url}/board${path}`, {
        headers: {
          cookie: `dockline-board=${createSessions([token]).open(token)}`,
          'sec-fetch-site': 'same-origin',
          origin: url,
          ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form !== undefined && { method: 'POST', body: form }),
      });
      return await response.text();
    };
    return { store, send, note, page };
  }

  it('are listed newest first, with who wrote them', async () => {
    const { send, note } = await open();
    expect(await note('  The customer\r\nwas called. ', 'ana')).toMatchObject({
      status: 201,
      body: { text: 'The customer\nwas called.', token: 'lead', operator: 'ana', at: expect.any(String) },
    });
    await note('Waits for a pallet.');
    const { body } = await send('GET', path);
    expect(body.notes).toMatchObject([
      { text: 'Waits for a pallet.', operator: null },
      { text: 'The customer\nwas called.', operator: 'ana' },
    ]);
  });

  it('are removed from their subject only, by anybody who may act', async () => {
    const { send, note } = await open();
    const { id } = (await note('first')).body;
    await note('second');
    const remove = (of: string, token = lead) => send('POST', `${of}/notes/${id}/remove`, token);
    expect(await remove('/subjects/9104/order/32')).toMatchObject({ status: 404 });
    expect(await remove(path, clerk)).toMatchObject({ status: 403 });
    expect(await remove(path)).toMatchObject({ status: 200, body: { id } });
    expect(await remove(path)).toMatchObject({ status: 404 });
    expect((await send('GET', path)).body.notes).toMatchObject([{ text: 'second' }]);
    const { items } = (await send('GET', '/audit')).body;
    const target = { type: 'subject', id: 'order:9104:31' };
    expect(items).toMatchObject([
      { action: 'remove-note', outcome: 'refused' },
      { action: 'remove-note', target, outcome: 'done', detail: `note ${id}` },
      { action: 'remove-note', target: { id: 'order:9104:32' }, outcome: 'refused' },
      { action: 'note', target, outcome: 'done' },
      { action: 'note', target, outcome: 'done', detail: `note ${id}` },
    ]);
  });

  it('have from 1 to 2,000 characters, and need a subject', async () => {
    const { note } = await open();
    expect(await note('x'.repeat(2000))).toMatchObject({ status: 201 });
    for (const text of ['', '  \n', 'x'.repeat(2001), 'a\0b']) expect(await note(text)).toMatchObject({ status: 400 });
    expect(await note('x', '', '/subjects/9104/order/404')).toMatchObject({ status: 404 });
  });

  it('are on the page as text, whatever is in them', async () => {
    const { page } = await open();
    const text = `<script>alert(1)</script>\r\n${'x'.repeat(1900)}`;
    await page('/subjects/9104/order/31/notes', { form: String(new URLSearchParams({ text })) });
    const shown = await page('/subjects/9104/order/31?done=noted');
    expect(shown).toContain(`<bdi>&lt;script&gt;alert(1)&lt;/script&gt;\n${'x'.repeat(1900)}</bdi>`);
    expect(shown).toContain('Note added.');
    expect(shown).toContain('Remove it for everybody</button>');
    const asClerk = await page('/subjects/9104/order/31', { token: clerk });
    expect(asClerk).toContain('alert(1)');
    expect(asClerk).not.toMatch(/<textarea|Remove<\/button>/);
  });

  it('and who has taken it are hidden from a token that is limited to customers', async () => {
    const { send, note, page } = await open();
    await note('The customer is difficult.');
    await send('POST', `${path}/take`);
    const hidden = { notes: [], takenBy: null, takenAt: null };
    expect((await send('GET', path, acme)).body).toMatchObject(hidden);
    expect((await send('GET', '/subjects?takenBy=lead', acme)).body.items).toEqual([]);
    expect(await page('/subjects/9104/order/31', { token: acme })).not.toMatch(/difficult|Notes|Taken by/);
  });
});
