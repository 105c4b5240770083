import { expect, it } from 'vitest';
import { isCovered, toIncident } from '../../src/domain/health/incident.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { openWatch, webhookTo } from '../alerts/open-watch.ts';
import { openReceiver } from '../alerts/receiver.ts';
import { configure } from '../store/configured.ts';
import { describeOnEither, openIn } from '../store/databases.ts';

const hub = { tenant: '9104', id: 'hub', name: 'hub' };
const DAY_MS = 86_400_000;
const path = '/incidents/destination-stopped%409104%2Fhub';

describeOnEither('an incident that a person has acknowledged', (database) => {
  async function openStopped() {
    const clock = { now: Date.now() };
    const store = await openIn(database, { now: () => clock.now });
    const admin = await openAdmin({ store });
    await configure(store, { hub: {} });
    await store.destinations.pause(hub, 'it answered 410', 'dockline');
    const incident = async () => (await admin.get('/health')).body.incidents[0];
    return { clock, store, ...admin, incident };
  }

  it('says so to others until that is undone, by the API and by a button of the first page', async () => {
    const { post, url, incident } = await openStopped();
    const page = async () => await (await fetch(`${url}/board`)).text();
    const press = (action: string, body: string) => {
      const headers = { origin: url, 'content-type': 'application/x-www-form-urlencoded' };
      return fetch(`${url}/board${path}/${action}`, { method: 'POST', headers, body, redirect: 'manual' });
    };
    expect(await page()).toContain(`action="/board${path}/acknowledge"`);
    expect(await (await press('acknowledge', '')).text()).toContain('Your name');
    expect((await press('acknowledge', 'operator=Ana')).status).toBe(303);
    const by = 'Ana';
    expect(await incident()).toMatchObject({ isUrgent: true, acknowledged: { by, at: expect.any(String) } });
    expect(await page()).toContain(`Acknowledged by <bdi>${by}</bdi>`);
    const pressed = await press('unacknowledge', '');
    const next = pressed.headers.get('location');
    expect(next).toBe('/board?done=unacknowledged');
    expect(await (await fetch(`${url}${next}`)).text()).toContain('id="notice">No longer acknowledged.<');
    expect(await incident()).toMatchObject({ acknowledged: null });
    expect((await post(`${path}/unacknowledge`)).status).toBe(404);
    expect((await post('/incidents/quarantine/acknowledge')).status).toBe(404);
  });

  it('is not acknowledged any more when it has ended and comes back', async () => {
    const { post, clock, store, incident } = await openStopped();
    await post(`${path}/acknowledge`);
    await store.destinations.resume(hub);
    expect(await incident()).toBeUndefined();
    clock.now += 60_000;
    await store.destinations.pause(hub, 'it answered 410', 'dockline');
    await expect.poll(incident).toMatchObject({ condition: 'destination-stopped', acknowledged: null });
  });

  it('is not reminded of, and its end is told', async () => {
    const { post, clock, store } = await openStopped();
    const { url, received } = await openReceiver();
    const { round } = openWatch(store, [webhookTo('ops', url)]);
    const notified = () =>
      received
        .flatMap(({ body }) => body.alerts)
        .flatMap((it) => (it.condition === 'destination-stopped' ? it.change : []));
    const later = async (ms: number) => {
      clock.now += ms;
      await round();
    };
    await later(0);
    await later(60_000);
    await later(DAY_MS);
    expect(notified()).toEqual(['opened', 'reminder']);
    await post(`${path}/acknowledge`);
    await later(2 * DAY_MS);
    expect(notified()).toEqual(['opened', 'reminder']);
    await store.destinations.resume(hub);
    await later(60_000);
    await later(DAY_MS);
    expect(notified()).toEqual(['opened', 'reminder', 'over']);
  });
});

it.each([
  ['is as it was', { sort: '503', count: 20 }, true],
  ['has nearly ten times as much that waits', { sort: '503', count: 199 }, true],
  ['has grown tenfold', { sort: '503', count: 200 }, false],
  ['has another answer', { sort: '401', count: 20 }, false],
  ['has ended and come back', { sort: '503', count: 20, since: 3 }, false],
])('an acknowledgement of an incident that %s: covers it or not', (_, now, covers) => {
  const hub = {
    place: '9104/hub',
    title: 'Destination hub fails',
    ended: 'It accepts again',
    path: '/board',
    since: 1,
  };
  const acknowledgement = { by: 'Ana', at: 2, sort: '503', count: 20 };
  expect(isCovered(toIncident('destination-failing', { ...hub, ...now }, 1), acknowledgement)).toBe(covers);
});
