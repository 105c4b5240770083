import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findPort } from '../../sandbox/temporal-server/port.ts';
import { openFolder } from '../support/temporal-server.ts';
import { anyPorts } from './running-command.ts';
import { hasTmux, openScreen } from './terminal-screen.ts';

const root = join(import.meta.dirname, '../..');

/** The screens of the last run, as text. */
const kept = join(root, 'node_modules/.cache/newcomer');

/** Opens a shell in a terminal, whose screen is kept at the end under this name. */
function openShell(name: string, cwd: string, env: Readonly<Record<string, string>>) {
  const screen = openScreen({ command: ['sh', '-i'], columns: 120, cwd, env: { PS1: '$ ', ...env } });
  onTestFinished(() => writeFileSync(join(kept, `${name}.txt`), `${screen.text()}\n`));
  return {
    ...screen,
    enter(line: string): void {
      screen.type(line);
      screen.press('Enter');
    },
    untilPrompt: () => screen.untilEndsWith('\n$'),
  };
}

/** Returns what stands on a screen between two texts. */
function between(text: string, start: string, end: string): string {
  const [, after] = text.split(start);
  const [found] = (after ?? '').split(end);
  if (!after || !found) throw new Error(`the screen lacks ${start}`);
  return found.trim();
}

it.runIf(hasTmux)('a newcomer comes from a clone to the first announcement of a warehouse', async () => {
  mkdirSync(kept, { recursive: true });
  const home = await openFolder();
  const clone = join(home, 'dockline');
  const [webhook, receiver] = [String(await findPort(0, '')), String(await findPort(0, ''))];

  const person = openShell('clone, init and start', home, { ...anyPorts, WEBHOOK_PORT: webhook });
  person.enter(`git clone --quiet '${root}' dockline && cd dockline`);
  await person.untilPrompt();
  // What `npm ci` would install; the tests of the package install it.
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));

  const warehouse = openShell('warehouse', clone, anyPorts);
  warehouse.enter(`npx dockline simulator --webhook http://127.0.0.1:${webhook}/webhooks/warehouse`);
  await warehouse.untilShows('Every event goes to');
  const told = (name: string) => between(warehouse.text(), `WAREHOUSE_${name}=`, '\n');

  person.enter('npx dockline init');
  const answers = [told('BASE_URL'), told('AUTH_URL'), told('CLIENT_ID'), told('CLIENT_SECRET'), told('USER_LOGIN')];
  for (const text of [...answers, told('TENANT')]) {
    await person.untilEndsWith('\n>');
    const before = person.text();
    person.enter(text);
    await expect.poll(person.text).not.toBe(before);
  }
  await person.untilEndsWith('Write a receiver to begin with, receiver.mjs? [y/N]\n>');
  person.enter('y');
  await person.untilEndsWith('URL of your receiver, to which announcements are posted\n>');
  const shop = openShell('receiver', clone, { PORT: receiver });
  shop.enter(between(person.text(), 'npm install standardwebhooks\n', '\n'));
  const url = `http://127.0.0.1:${receiver}/`;
  const answerUnsigned = () => fetch(url, { method: 'POST' }).then(({ status }) => status, String);
  await expect.poll(answerUnsigned).toBe(401);
  person.enter(url);
  await person.untilShows('Wrote .env');
  await person.untilPrompt();
  expect(shop.text()).toContain('dockline.test');

  person.enter('npm start');
  await person.untilShows('Dockline is running');
  const orders = JSON.stringify({ orders: 1 });
  const headers = { 'content-type': 'application/json' };
  const played = await fetch(`${told('BASE_URL')}/simulator/play`, { method: 'POST', headers, body: orders });
  expect(played.ok).toBe(true);
  await shop.untilShows('dockline.order.created');
  await shop.untilShows('dockline.order.confirmed');
  person.press('C-c');
  await person.untilShows('Stopped.');
});
