import { expect, it } from 'vitest';
import { openAdmin } from '../admin/open-admin.ts';
import { record } from '../destinations/record.ts';
import { describeOnEither, openIn, type TestDatabase } from '../store/databases.ts';

const path = '/subjects/9104/order/1';
const confirmed = { milestone: 'confirmed', time: 2, eventId: null } as const;
const stalled = { milestone: 'stalled', time: 1, eventId: null } as const;

describeOnEither('a subject that somebody has taken', (database: TestDatabase) => {
  async function open() {
    const store = await openIn(database);
    for (const id of ['1', '2', '3']) await record(store, `order:9104:${id}`, { stageSince: Number(id) });
    const { url, call, get } = await openAdmin({ store });
    const as = (operator: string, of: string, action: string) =>
      call(`${of}/${action}`, { method: 'POST', headers: { 'x-operator': operator } });
    const idsOf = async (query: string) =>
      (await get(`/subjects?${query}`)).body.items.map(({ id }: { id: string }) => id);
    const page = async (path: string) => await (await fetch(`${url}/board${path}`)).text();
    return { store, as, get, idsOf, page };
  }

  it('names who and since when, is taken over, and given back by anybody', async () => {
    const { as, get } = await open();
    expect((await get(path)).body).toMatchObject({ takenBy: null, takenAt: null });
    expect(await as('ana', path, 'take')).toMatchObject({ status: 200, body: { takenBy: 'ana' } });
    expect((await get(path)).body).toMatchObject({ takenBy: 'ana', takenAt: expect.any(String) });
    expect(await as('ben', path, 'take')).toMatchObject({ body: { takenBy: 'ben' } });
    expect(await as('ana', path, 'give-back')).toMatchObject({ status: 200, body: { takenBy: null } });
    expect((await get(path)).body).toMatchObject({ takenBy: null, takenAt: null });
    expect(await as('ana', path, 'give-back')).toMatchObject({ status: 200 });
    const { items } = (await get('/audit')).body;
    expect(items.map(({ action, operator }: Record<string, string>) => `${operator} ${action}`)).toEqual([
      'ana give-back',
      'ana give-back',
      'ben take',
      'ana take',
    ]);
  });

  it('is found by its name, and the others by "nobody"', async () => {
    const { as, idsOf, page } = await open();
    await as('ana', '/subjects/9104/order/3', 'take');
    await as('ana', path, 'take');
    await as('ben', '/subjects/9104/order/2', 'take');
    expect(await idsOf('takenBy=nobody')).toEqual([]);
    await as('ben', '/subjects/9104/order/2', 'give-back');
    expect(await idsOf('takenBy=nobody')).toEqual(['2']);
    const shown = await page('/subjects?takenBy=ana');
    expect(shown).toMatch(/data-label="Taken by"><bdi>ana<\/bdi>/);
    expect(shown).toMatch(/name="takenBy" value="ana">\n<button>Refresh all 2…/);
    expect(shown).not.toContain('/board/subjects/9104/order/2"');
  });

  it('is given back once it is over, and can then not be taken', async () => {
    const { store, as, get, page } = await open();
    await as('ana', path, 'take');
    await record(store, 'order:9104:1');
    expect((await get(path)).body).toMatchObject({ takenBy: 'ana' });
    expect(await page(path)).toMatch(/Take over<\/button>.*Give back<\/button>/s);
    await record(store, 'order:9104:1', { registers: { closing: confirmed } });
    expect((await get(path)).body).toMatchObject({ stage: 'confirmed', takenBy: null });
    expect(await as('ana', path, 'take')).toMatchObject({ status: 409 });
    expect(await page(path)).not.toContain('Take</button>');
  });

  it('stays taken while it is over and needs attention', async () => {
    const { store, as, get } = await open();
    await record(store, 'order:9104:1', { registers: { closing: confirmed, attention: stalled } });
    expect(await as('ana', path, 'take')).toMatchObject({ status: 200 });
    await record(store, 'order:9104:1', { registers: { closing: confirmed, attention: stalled } });
    expect((await get(path)).body).toMatchObject({ takenBy: 'ana' });
    await record(store, 'order:9104:1', { registers: { closing: confirmed } });
    expect((await get(path)).body).toMatchObject({ takenBy: null });
  });

  it('is given back when the dead letter for which it was taken is sent again, after its end', async () => {
    const { store, as, get } = await open();
    const [id = ''] = await record(store, 'order:9104:1', { registers: { closing: confirmed } });
    await store.outbox.deadLetter({ id, destination: 'default' }, 'answered 410');
    expect(await as('ana', path, 'take')).toMatchObject({ status: 200 });
    expect(await as('ana', `/announcements/${id}`, 'resend')).toMatchObject({ status: 202 });
    expect((await get(path)).body).toMatchObject({ attention: [], takenBy: null });
  });
});
