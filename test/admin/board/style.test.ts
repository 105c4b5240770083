import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMailbox } from '../../../sandbox/mailbox/mailbox.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';
import { playDay } from './warehouse-day.ts';

const root = join(import.meta.dirname, '../../..');

const textOf = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');

/** Returns the classes that a template names, also those of its choices: `badge ${isBad ? 'bad' : 'good'}`. A name that a value completes is none. */
function classesIn(template: string): readonly string[] {
  const choices = [...template.matchAll(/(?:\?|:|&&) '([^']*)'/g)].map(([, name]) => name);
  const words = [template.replaceAll(/\$\{[^}]*\}/g, '\0'), ...choices].join(' ').split(' ');
  return words.filter((word) => /^[a-z][\w-]*$/.test(word));
}

it('the style sheets style every class that the pages use', () => {
  const sheets = textOf('src/admin/board/assets/style/*.css').replaceAll(/\/\*.*?\*\//gs, '');
  const selectors = [...sheets.matchAll(/([^{};]*)\{/g)].map(([, selector]) => selector).join(' ');
  const styled = new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name));
  const markup = textOf('{src,sandbox}/**/*.{ts,js}');
  const used = [...markup.matchAll(/\bclass="((?:\$\{[^}]*\}|[^"])*)"|\.className = '([^']*)'/g)];
  const missing = used.flatMap(([, inMarkup, inScript]) => classesIn(inMarkup ?? inScript ?? ''));
  expect([...new Set(missing.filter((name) => !styled.has(name)))]).toEqual([]);
});

describeInBrowser('a page', ({ open }) => {
  const widths = [1440, 1024, 390];

  it('that has no rail has the whole window', async () => {
    const store = await openTemporaryStore();
    const { url } = await openAdmin({ store, token: 'a-token-of-this-very-test' });
    const mailbox = await startMailbox({ port: 0 });
    onTestFinished(() => mailbox.close());
    for (const address of [`${url}/board/sign-in`, mailbox.url])
      for (const width of widths) {
        const { page } = await open(address, { viewport: { width, height: 800 } });
        const box = await page.locator('main').boundingBox();
        expect({ address, width, shown: box?.width }).toEqual({ address, width, shown: Math.min(width, 1168) });
      }
  });

  it('cuts nothing off a form that opens above a table', async () => {
    const store = await openTemporaryStore();
    await playDay(store);
    const { url } = await openAdmin({ store });
    for (const width of widths) {
      const { page } = await open(`${url}/board/destinations`, { viewport: { width, height: 800 } });
      await page.getByRole('button', { name: 'Pause…' }).first().click();
      const button = page.getByRole('button', { name: 'Pause', exact: true });
      // Playwright clicks only what nothing covers.
      await button.click({ trial: true });
      const box = await button.boundingBox();
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    }
  });
});
