import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { limits } from '../../limits.ts';

const executablePath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

/** Opens pages that close when the test ends, and reports what the browser complains about. */
export interface Reader {
  open(
    url: string,
    options?: BrowserContextOptions,
  ): Promise<{ readonly page: Page; readonly complaints: readonly string[] }>;
}

/** Defines tests in Chromium, which are skipped where there is none, unless `REQUIRE_CHROMIUM` says that there has to be. */
export function describeInBrowser(title: string, define: (reader: Reader) => void): void {
  if (executablePath === undefined && process.env.REQUIRE_CHROMIUM) throw new Error('There is no Chromium.');
  if (executablePath === undefined) console.warn(`No Chromium in /usr/bin: skipping "${title}"`);
  describe.skipIf(executablePath === undefined)(title, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    });
    afterAll(() => browser.close());
    define({ open: (url, options) => openPage(browser, url, options) });
  });
}

/** Starts Chromium, in which nothing but our own pages is opened. */
export async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium in /usr/bin.');
  // Each page starts anew, so that optimizing its scripts takes longer than they do.
  const args = ['--js-flags=--max-opt=1', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return await chromium.launch({ executablePath, args, timeout: limits.hookTimeout });
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York', ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(limits.expect.poll.timeout);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, complaints };
}
