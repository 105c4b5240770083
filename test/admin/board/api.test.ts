import { expect, it } from 'vitest';
import { operations } from '../../../src/admin/openapi/operations.ts';
import { createOpenApi } from '../../../src/app/admin-api.ts';
import { announcementTypes } from '../../../src/domain/catalogue/announced.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';

/** Reads the pages of the API from link to link. */
async function readAll(origin: string): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>();
  const open = ['/board/api'];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (read.has(path)) continue;
    const response = await fetch(origin + path);
    expect(response.status, path).toBe(200);
    const text = await response.text();
    read.set(path, text);
    open.push(...[...text.matchAll(/href="(\/board\/api[^"#]*)"/g)].map(([, link = '']) => link));
  }
  return read;
}

it('the pages of the API have every call, every announcement and every schema that they refer to', async () => {
  const { url } = await openAdmin({ store: await openTemporaryStore() });
  const pages = await readAll(url);
  for (const { id } of Object.values(operations)) expect(pages.get(`/board/api/calls/${id}`)).toContain('Answers');
  for (const [type, { kind, milestone, words }] of announcementTypes) {
    const page = pages.get(`/board/api/announcements/${type}`);
    const plain = page?.replaceAll(/<\/?code[^>]*>/g, '').replaceAll('&#39;', "'");
    expect(plain).toContain(words.replaceAll('`', ''));
    expect(page).toContain(`&quot;type&quot;: &quot;${type}&quot;`);
    expect(page).toContain('<code>revision</code>');
    expect(page).toContain(`<code>&quot;${milestone}&quot;</code>`);
    expect(page?.includes('<code>progress.picked</code>')).toBe(kind === 'order');
  }
  expect(JSON.parse(pages.get('/board/api/openapi.json') ?? '')).toEqual(createOpenApi());
});

it.each(['calls/none', 'announcements/none', 'schemas/constructor'])('there is no page of %s', async (path) => {
  const { url } = await openAdmin({ store: await openTemporaryStore() });
  expect((await fetch(`${url}/board/api/${path}`)).status).toBe(404);
});
