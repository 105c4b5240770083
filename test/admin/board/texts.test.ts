import { expect, it } from 'vitest';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { orderOf } from '../../support/make.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';

const role = 'the credential lacks the role CUSTOMER_READ_EVERYTHING of the warehouse';

const notCalled = `not called, because a moment ago GET /customers/420 answered 403 (${role})`;

async function serve() {
  const store = await openTemporaryStore();
  const refused = (operation: 'getCustomer' | 'getAssembly', message: string) => [{ operation, message, since: 1 }];
  const snapshot = { referenceNumber: 'OR313405808X' };
  await record(store, 'order:9104:1', { snapshot, refused: refused('getCustomer', notCalled) });
  await record(store, 'assembly:9104:2', { refused: refused('getAssembly', 'the assembly has none of the facts') });
  const { url } = await openAdmin({ store });
  return { url, read: async (path: string) => await (await fetch(`${url}/board${path}`)).text() };
}

it('the page of a record says why it is incomplete', async () => {
  const { read } = await serve();
  const page = await read('/subjects/9104/order/1');
  expect(page).toContain('<a href="/board/docs/runbooks#an-order-is-stuck">What to do</a>');
  const text = page.replaceAll(/<[^>]*>/g, '');
  expect(text).toContain('Announced without its customer');
  expect(text).toContain(`getCustomer: ${notCalled}`);
});

it('the first page does not say that nothing is wrong above records with troubles', async () => {
  const { read } = await serve();
  const page = await read('');
  expect(page).toContain('2 records need attention');
  expect(page).toContain('<h2 id="incidents">No incident</h2>');
  expect(page).not.toContain('Nothing is wrong');
});

it('what an incident explains is no problem of a record', async () => {
  const store = await openTemporaryStore();
  const failure = { operation: 'getOrder', error: 'GET answered 503', status: 503, nextTryAt: 1 };
  for (const id of ['1', '2']) {
    await record(store, `order:9104:${id}`);
    await store.activityFailures.note(orderOf(id), 'retrieving', failure);
  }
  const { url } = await openAdmin({ store });
  const page = await (await fetch(`${url}/board`)).text();
  expect(page).not.toMatch(/records? needs? attention/);
  expect(page).not.toContain('need a person');
  await record(store, 'order:9104:3', { refused: [{ operation: 'getOrder', message: 'answered 403', since: 1 }] });
  const { url: later } = await openAdmin({ store });
  expect(await (await fetch(`${later}/board`)).text()).toContain('1 record needs attention');
});

it('the page of settings links to what was refused', async () => {
  const { read } = await serve();
  const page = await read('/system');
  const [address = ''] = /\/subjects\?attention=refused/.exec(page) ?? [];
  expect(await read(address)).toContain('Assembly 2');
});

it('a filter keeps the list that it stands above', async () => {
  const { read } = await serve();
  const page = await read('/subjects?attention=any');
  expect(page).toContain('<option value="" selected>any stage</option>');
  expect(await read('/subjects')).toContain('<option value="" selected>all that are open</option>');
  expect(await read('/subjects?due=willMiss')).toContain('Due: <bdi>will probably miss their deadline</bdi> ×');
});

describeInBrowser('a narrow page', ({ open }) => {
  it('cuts neither words nor texts of its own', async () => {
    const { url } = await serve();
    const { page } = await open(`${url}/board`, { viewport: { width: 320, height: 640 } });
    const linesOf = (selector: string) =>
      page.evaluate(`(() => {
        const range = document.createRange();
        const text = document.evaluate('.//text()', document.querySelector('${selector}')).iterateNext();
        range.setStart(text, 0);
        range.setEnd(text, text.data.search(/ |$/));
        return range.getClientRects().length;
      })()`);
    expect(await linesOf('.legend[aria-label] li:nth-child(2) a')).toBe(1);
    expect(await page.evaluate("document.querySelector('.search input').getBoundingClientRect().right")).toBeLessThan(
      304,
    );
    await page.goto(`${url}/board/subjects?attention=any`);
    expect(await linesOf('tbody tr:nth-child(2) th bdi')).toBe(1);
  });
});
