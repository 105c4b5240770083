import { expect, it } from 'vitest';
import { describeInBrowser } from '../admin/board/browser.ts';
import { anyPorts, start } from '../cli/running-command.ts';
import { untilWritten } from '../cli/surroundings.ts';

describeInBrowser('the guide of a demonstration', ({ open }) => {
  it('breaks and mends its parts, and everything is announced once', async () => {
    const dockline = await start(['--orders', '2'], anyPorts);
    await untilWritten(dockline, /(Dockline is running)/);
    const board = await untilWritten(dockline, /^open (\S+)\n/m);
    const { page, complaints } = await open(board);
    /** Presses a button of the drawer. */
    const press = async (name: string) => {
      await page.getByRole('button', { name: /^Things to try/ }).click();
      await page.getByRole('button', { name, exact: true }).click();
    };
    const text = () => page.locator('main').innerText();
    const again = async (address: string) => {
      await page.goto(address);
      return await text();
    };

    await press('Send it twice');
    await page.waitForURL('**/webhooks?event=OrderCreate');
    await page.locator('tbody a[href*="/order/"]').first().click();
    const order = page.url();
    await expect.poll(() => again(order)).toContain('✓');
    expect(new Set((await page.content()).match(/order%3A9104%3A\d+\/\d+\/created/g)).size).toBe(1);

    await page.goto(board);
    await press('Kill the receiver');
    await page.waitForURL('**/destinations/**');
    await expect.poll(() => again(page.url())).toContain('503');
    await page.goto(board);
    await press('Bring the receiver back');
    await expect.poll(() => again(`${board}/announcements?state=unsent`)).toContain('None');

    await page.goto(board);
    await press('Take the warehouse down');
    await press('Bring the warehouse back');
    await page.locator('#guide button', { hasText: 'Take the warehouse down' }).waitFor({ state: 'attached' });

    await press('Stop Temporal');
    await press('Resume Temporal');

    const workflow = await page.locator('#guide a', { hasText: 'Open the newest order' }).getAttribute('href');
    const led = await fetch(new URL(workflow ?? '', board), { redirect: 'manual' });
    expect(led.headers.get('location')).toMatch(/\/namespaces\/default\/workflows\/order%3A9104%3A\d+$/);

    await press('Send the last hour again…');
    await page.waitForURL('**/bulk/*');
    await page.getByRole('button', { name: /^Replay/ }).click();
    await expect.poll(() => again(page.url())).toMatch(/tried: \d+ done, 0 failed/);

    await page.goto(board);
    await page.getByRole('button', { name: 'Things to try: 6 of 7 tried' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
