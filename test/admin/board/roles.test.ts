import { expect, it } from 'vitest';
import type { Role } from '../../../src/admin/access.ts';
import { createSessions } from '../../../src/admin/board/session.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { playDay } from './warehouse-day.ts';

const tokens = (['read', 'act', 'bodies'] as const).map((role) => ({
  name: role,
  roles: [...new Set<Role>(['read', role])],
  token: `the-token-of-${role}`,
}));

/** Opens the pages that have buttons or bodies, as the holder of a token. */
async function openAs(name: Role) {
  const store = await openTemporaryStore();
  const { quarantined, deadLetter } = await playDay(store);
  const { url } = await openAdmin({ store, tokens });
  const [token] = tokens.filter((it) => it.name === name);
  if (!token) throw new Error(`nobody has the role ${name}`);
  const headers = { cookie: `dockline-board=${createSessions(tokens).open(token)}` };
  const read = async (path: string) => {
    const response = await fetch(`${url}/board${path}`, { headers });
    expect(response.status, path).toBe(200);
    return await response.text();
  };
  const announcement = `/announcements/${deadLetter}`;
  const paths = ['/subjects/9104/order/1', '/subjects/9104/receipt/4', '/dead-letters', '/quarantine', announcement];
  return { pages: await Promise.all([...paths, `/deliveries/${quarantined}`].map(read)) };
}

const buttons = (page: string) => page.match(/<form method="post" action="(?!\/board\/sign-out")/g)?.length ?? 0;
const hasBody = (page: string) => page.includes('<pre class="body"');

it('whoever may act sees the buttons', async () => {
  const { pages } = await openAs('act');
  expect(pages.map(buttons).every((count) => count > 0)).toBe(true);
  expect(pages.some(hasBody)).toBe(false);
});

it('whoever may only read sees no button and no body', async () => {
  const { pages } = await openAs('read');
  expect(pages.map(buttons)).toEqual(pages.map(() => 0));
  expect(pages.some(hasBody)).toBe(false);
  expect(pages.at(-1)).toContain('Your token does not show bodies.');
  expect(pages[0]).toMatch(/<bdi>read<\/bdi> <span class="muted">read<\/span>/);
});

it('whoever may read bodies sees them', async () => {
  const { pages } = await openAs('bodies');
  expect(pages.map(hasBody)).toEqual([false, false, false, false, true, true]);
  expect(pages.map(buttons)).toEqual(pages.map(() => 0));
});
