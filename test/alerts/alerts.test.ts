import { expect, it, onTestFinished } from 'vitest';
import { openAlertChannels } from '../../src/app/health.ts';
import { loadConfig } from '../../src/config/config.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { writeTemporary } from '../config/temporary-text.ts';
import { configure } from '../store/configured.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openWatch, webhookTo } from './open-watch.ts';
import { openReceiver } from './receiver.ts';

const START = Date.UTC(2026, 1, 11, 12);
const hub = { tenant: '9104', id: 'hub', name: 'hub' };

const alertsFile = (url: string) => writeTemporary(`alerts:\n  channels:\n${webhookTo('ops', url)}\n`);

describeOnEither('alerts in the administrative API', (database) => {
  it('are listed with what was told to whom', async () => {
    const clock = { now: START };
    const store = await openIn(database, { now: () => clock.now });
    const { url } = await openReceiver();
    const { round } = openWatch(store, [webhookTo('ops', url)]);
    const { get, url: board } = await openAdmin({ store });
    expect((await get('/alerts')).body).toEqual({ watchedAt: null, alerts: [], silences: [], messages: [] });
    expect(await (await fetch(`${board}/board/alerts`)).text()).toContain('no channel is configured');
    await configure(store, { hub: {} });
    await store.destinations.pause(hub, 'it answered 410', 'dockline');
    await round();
    clock.now += 60_000;
    await round();
    const { body } = await get('/alerts');
    expect(body).toMatchObject({
      watchedAt: '2026-02-11T12:01:00.000Z',
      alerts: [
        {
          condition: 'destination-stopped',
          text: 'Dockline has stopped sending to destination hub of warehouse 9104',
          because: 'it answered 410',
          phase: 'open',
          notified: [{ channel: 'ops', as: 'open', at: '2026-02-11T12:01:00.000Z' }],
        },
      ],
      messages: [{ channel: 'ops', failures: 0, lastError: null, nextTryAt: null }],
    });
    const page = await (await fetch(`${board}/board/alerts`)).text();
    expect(page).toContain('<a href="/board/destinations/9104/hub">');
    expect(page).toContain('action="/board/alerts/destination-stopped/silence"');
  });

  it('are silenced for a time, and not any more, each with an entry in the audit log', async () => {
    const store = await openIn(database);
    const { post, get } = await openAdmin({ store });
    const { status, body } = await post('/alerts/quarantine/silence', { minutes: 120 });
    expect(status).toBe(200);
    expect(Date.parse(body.until)).toBeGreaterThan(Date.now() + 119 * 60_000);
    expect((await get('/alerts')).body.silences).toEqual([
      { condition: 'quarantine', until: body.until, by: 'an operator on this machine' },
    ]);
    expect(await store.alerts.silenced()).toEqual(new Set(['quarantine']));
    expect((await post('/alerts/quarantine/unsilence')).status).toBe(200);
    expect((await post('/alerts/quarantine/unsilence')).status).toBe(404);
    expect((await post('/alerts/nothing/silence', { minutes: 1 })).status).toBe(400);
    const { body: audit } = await get('/audit');
    expect(
      audit.items.map(({ action, target, outcome }: Record<string, unknown>) => ({ action, target, outcome })),
    ).toEqual([
      { action: 'unsilence', target: { type: 'alert', id: 'quarantine' }, outcome: 'refused' },
      { action: 'unsilence', target: { type: 'alert', id: 'quarantine' }, outcome: 'done' },
      { action: 'silence', target: { type: 'alert', id: 'quarantine' }, outcome: 'done' },
    ]);
  });
});

it('alerts are silenced by the form on their page', async () => {
  const store = await openTemporaryStore();
  const { url } = await openAdmin({ store });
  const answer = await fetch(`${url}/board/alerts/overdue/silence`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', origin: url },
    body: 'minutes=120',
    redirect: 'manual',
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/board/alerts?done=silenced']);
  const page = await (await fetch(`${url}/board/alerts?done=silenced`)).text();
  expect(page).toContain('action="/board/alerts/overdue/unsilence"');
});

it('the board is where this process serves it, if the port is any', async () => {
  const open = (env: Record<string, string>) => {
    const config = loadConfig({ CONFIG_FILE: alertsFile('https://hub.test'), ...env });
    const channels = openAlertChannels(config, config.alerts ?? { channels: [] }, { served: () => 'http://a.test:7' });
    onTestFinished(() => channels.close());
    return channels.boardUrl();
  };
  expect(open({ ADMIN_PORT: '0' })).toBe('http://a.test:7');
  expect(open({ ADMIN_PORT: '3001' })).toBe('http://127.0.0.1:3001');
  expect(open({ ADMIN_PORT: '0', ADMIN_URL: 'https://board.test/' })).toBe('https://board.test');
});
