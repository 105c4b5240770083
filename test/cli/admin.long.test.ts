import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import { toEntry } from '../../src/ingress/message/delivery.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { record, refOf } from '../destinations/record.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { listen } from '../support/listen.ts';
import { entryOf, unleased } from '../support/make.ts';
import { run, runAdmin } from './running-command.ts';

const at = Date.UTC(2026, 1, 11);
const token = 'a-token-of-this-very-test';

/** Failure of a GET. */
const failure = { operation: 'getOrder', error: 'GET /orders answered 503', nextTryAt: at + 5000 };

/** Opens the API over a store with the orders of two tenants and two quarantined events. */
async function openFilled() {
  const store = await openTemporaryStore({ now: () => at });
  const snapshot = { customerId: '418', referenceNumber: 'R\u001b[31m31' } as Snapshot;
  for (const [tenant, id] of [
    ['9104', '31'],
    ['9104', '32'],
    ['7001', '32'],
  ] as const) {
    await record(store, `order:${tenant}:${id}`, { snapshot, stageSince: at });
  }
  for (const eventType of ['OrderShipped', 'OrderExploded']) {
    const body = Buffer.from(JSON.stringify({ wmsEventId: eventType.length, eventType, data: { OrderId: '31' } }));
    await store.inbox.add([toEntry({ endpoint: 'warehouse', receivedAt: 1, body }, { tenant: '9104' })]);
  }
  const { url } = await openAdmin({ store, token });
  return {
    store,
    run: (...args: readonly string[]) => runAdmin(args, { ADMIN_URL: `${url}/`, ADMIN_TOKEN: token }),
    url,
  };
}

describe('dockline admin', () => {
  it('prints lists as tables without control characters, or as JSON', async () => {
    const { run } = await openFilled();
    const listed = await run('subjects', '--customer', '418', '--limit', '2');
    expect(listed.code).toBe(0);
    const plain = listed.stdout
      .replaceAll(/\d+ d( \d+ h)? ago/g, 'AGE')
      .replaceAll(/ {2,}/g, '  ')
      .replaceAll(/─+/g, '─');
    expect(plain).toBe(
      [
        'kind  id  tenant  stage  stageSince  referenceNumber  customerId',
        '─  ─  ─  ─  ─  ─  ─',
        'order  32  7001  created  AGE  R\u{fffd}[31m31  418',
        'order  31  9104  created  AGE  R\u{fffd}[31m31  418',
        '',
        `More: --after '["9104","order","31"]'`,
        '',
      ].join('\n'),
    );
    const more = await run('subjects', '--after', '["9104","order","31"]', '--json');
    expect(JSON.parse(more.stdout)).toMatchObject({ items: [{ id: '32', tenant: '9104' }], next: null });
    expect((await run('subjects', '--stage', 'packed')).stdout).toBe('Nothing.\n');
  });

  it('shows the status, quarantined events and announcements', async () => {
    const { run } = await openFilled();
    const status = await run('status');
    expect(status.stdout).toMatch(/^inbox +waiting: 0, quarantined: 2$/m);
    expect(status.stdout).toMatch(/^attention +stalled: 0, refused: 0, unannounced: 0, failing: 0$/m);
    expect(status.stdout).toMatch(/^order +created +3$/m);
    expect((await run('quarantine')).stdout).toMatch(
      /^\d+ +9104:12 +9104 +\d+ d.* ago +unknown event "OrderShipped" of an order +\d+$/m,
    );
    expect((await run('quarantine', '--summary')).stdout).toMatch(
      /^data +\{.*OrderExploded.*\}\nreason +unknown event "OrderExploded" of an order\ncount +1\n/m,
    );
    expect((await run('webhooks', 'show', '1')).stdout).toContain('"eventType":"OrderShipped"');
    expect((await run('announcements', '--state', 'unsent')).stdout).toMatch(
      /^order:9104:31\/1\/created +default +unsent +\d+ d.* ago +0 +418$/m,
    );
    expect((await run('announcements', 'show', 'order:9104:31/1/created')).stdout).toMatch(
      /^id +order:9104:31.*\n{"name"/ms,
    );
  });

  it('shows the age of the oldest waiting event and how many fail', async () => {
    const { run, store } = await openFilled();
    await store.inbox.add([entryOf('31', 5)]);
    await store.activityFailures.note(refOf('order:9104:31'), 'retrieving', failure);
    await store.activityFailures.note(refOf('order:9104:32'), 'retrieving', failure);
    const { stdout } = await run('status');
    expect(stdout).toMatch(/^inbox +waiting: 1, .*oldestReceivedAt: 1970-01-01T00:00:00.005Z, /m);
    expect(stdout).toMatch(/^attention .* failing: 2$/m);
    const listed = await run('subjects', '--attention', 'failing');
    expect(listed.stdout.match(/^order +3\d +9104 .* failing /gm)).toHaveLength(2);
  });

  it('shows the failures of a subject with attempts and the next try, and the refused GETs', async () => {
    const { run, store } = await openFilled();
    const key = 'order:9104:33';
    const refused = (['getUser', 'getCustomer'] as const).map((operation) => ({
      operation,
      message: 'GET answered 404',
      since: 1,
    }));
    const [id = ''] = await record(store, key, { refused });
    await store.activityFailures.note(refOf(key), 'retrieving', failure);
    await store.activityFailures.note(refOf(key), 'retrieving', failure);
    await store.outbox.failed(unleased(id), { outcome: 'failed', status: 503, ms: 3, error: 'POST answered 503' });
    await store.activityFailures.note(refOf(key), 'announcing', { ...failure, operation: 'announce' });
    const shown = await run('announcements', 'show', 'order:9104:33/1/created');
    expect(shown.stdout).toMatch(
      /^Last attempts\n.*\n.*\norder:9104:33\/1\/created +default .* failed +POST answered 503 .*\n\n{"name"/m,
    );
    const destination = await run('destinations', 'show', 'default', '--tenant', '9104');
    expect(destination.stdout).toMatch(/^lastFailure +.*announcement: order:9104:33\/1\/created, /m);
    expect(destination.stdout).toMatch(/^Last attempts\nannouncement +destination +number .* error /m);
    const { stdout } = await run('show', 'order', '33');
    const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '));
    const since = '2026-02-11T00:00:00.000Z';
    expect(lines).toEqual(
      expect.arrayContaining([
        'attention  refused, failing',
        expect.stringMatching(/^retrieving {2}operation: getOrder, .*attempts: 2, error: GET \/orders answered 503, /),
        expect.stringMatching(/^announcing {2}operation: announce, .*attempts: 1, error: GET \/orders answered 503, /),
        expect.stringMatching(/^getUser {2}GET answered 404/),
        expect.stringMatching(/^getCustomer {2}GET answered 404/),
        `${since} ${key}/1/created to default: unsent (POST answered 503)`,
      ]),
    );
    expect((await run('announcements', '--state', 'unsent')).stdout).toMatch(
      /^order:9104:33\/1\/created +default +unsent +\d+ d.* ago +1 +POST answered 503/m,
    );
  });

  it('counts and lists the webhooks of a subject that wait', async () => {
    const { run, store } = await openFilled();
    await store.inbox.add([entryOf('31', 5, 'OrderPackStarted')]);
    const { stdout } = await run('show', 'order', '31');
    expect(stdout).toMatch(
      /^Timeline\n(?:.*\n)*?1970-01-01T00:00:00.005Z webhook OrderPackStarted \(9104:5\) waits to be recorded$/m,
    );
  });

  it('lists, adds and changes destinations, whose settings come from a file or from standard input', async () => {
    const { run } = await openFilled();
    expect((await run('destinations')).stdout).toMatch(/^9104 +default +active +2 +/m);
    const file = join(mkdtempSync(join(tmpdir(), 'dockline-')), 'alder.json');
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    writeFileSync(file, JSON.stringify({ url: 'https://alder.test/in', customers: ['418'] }));
    const added = await run('destinations', 'add', 'alder', '--settings', file);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^name +alder\nsecret +whsec_/) });
    expect((await run('destinations', 'show', 'alder')).stdout).toMatch(/^customers +418$/m);
    expect((await run('destinations', 'change', 'alder', '--settings', file)).stdout).toMatch(
      /^name +alder\nwithdrawn +0$/m,
    );
    expect(await run('destinations', 'pause', 'alder')).toMatchObject({ code: 0 });
    expect((await run('destinations', 'show', 'alder')).stdout).toMatch(/^because +paused by /m);
    expect(await run('destinations', 'remove', 'alder')).toMatchObject({ code: 0 });
    expect(await run('destinations', 'show', 'alder')).toMatchObject({ code: 1 });
    expect(await run('destinations', 'add', 'alder')).toMatchObject({ code: 2 });
    expect(await run('destinations', 'explode', 'default')).toMatchObject({ code: 2 });
    expect(await run('destinations', 'change', 'default', '--settings', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is configured; change it there'),
    });
  });

  it('finds a subject by kind and id, and requires the tenant if several have one', async () => {
    const { run } = await openFilled();
    const shown = await run('show', 'order', '31');
    expect(shown.stdout).toMatch(/^customerId +418$/m);
    const several = await run('show', 'order', '32');
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining('choose one with --tenant: 7001, 9104') });
    expect((await run('show', 'order', '32', '--tenant', '7001')).code).toBe(0);
    const none = await run('show', 'order', '33');
    expect(none).toMatchObject({ code: 1, stderr: 'dockline: there is no order 33\n' });
  });

  it('leaves and removes notes, and says who is on a subject', async () => {
    const { run } = await openFilled();
    const noted = await run('note', 'order', '31', 'Waits for\na \u001b[31mpallet');
    expect(noted.stdout).toMatch(/^text +Waits for\n +a \u{fffd}\[31mpallet$/mu);
    expect((await run('take', 'order', '31')).stdout).toMatch(/^Taken\.\n\ntakenBy +\S+\n/);
    const shown = (await run('show', 'order', '31')).stdout;
    expect(shown).toContain('Waits for\n          a \u{fffd}[31mpallet\n');
    expect(shown).toMatch(/^takenAt +2026-02-11T00:00:00.000Z$/m);
    expect((await run('subjects', '--taken-by', 'nobody', '--csv')).stdout).not.toContain('order,31,9104');
    expect((await run('give-back', 'order', '31')).stdout).toBe('Released.\n');
    expect((await run('remove-note', 'order', '31', '1')).stdout).toMatch(/^Note removed\.\n/);
    expect(await run('remove-note', 'order', '31', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The subject has no such note.'),
    });
    expect((await run('show', 'order', '31')).stdout).not.toMatch(/^(Notes|takenBy)/m);
  });

  it('shows what a bulk action would do, and does it with --yes or once it is confirmed', async () => {
    const { run, store } = await openFilled();
    const previewed = await run(
      'bulk',
      'reprocess',
      '--code',
      'unknownName',
      '--data',
      '{"name":"OrderShipped","families":["order"]}',
    );
    expect(previewed.code).toBe(0);
    expect(previewed.stdout).toMatch(/^filter +code: unknownName.*\nstate +previewed$/m);
    expect(previewed.stdout).toMatch(
      /^total +1\nsample +1\n(?:.*\n)*\nNothing was done yet\. To do it, run this before \S+: dockline admin bulk confirm 1\n$/m,
    );
    expect(store.inbox.waiting()).toBe(0);
    expect((await run('bulk', 'confirm', '1')).stdout).toMatch(/^state +done$/m);
    expect(store.inbox.waiting()).toBe(1);
    const all = await run('bulk', 'reprocess', '--yes');
    expect(all).toMatchObject({ code: 1, stdout: expect.stringMatching(/^2 +It is still not understood\.$/m) });
    expect((await run('bulk')).stdout).toMatch(/^2 +reprocess +done .*\n1 +reprocess +unknownName .* done /m);
    expect((await run('bulk', 'cancel', '2')).stdout).toMatch(/^state +done$/m);
    expect(await run('bulk', 'show', '9')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not exist'),
    });
    const none = await run('bulk', 'reprocess', '--code', 'noName');
    expect(none.stdout).toMatch(/^total +0\n(?:.*\n)*\nNothing matches: there is nothing to do\.\n$/m);
  });

  it('lists webhooks and announcements in 120 columns, whatever is in them, and prints everything as CSV', async () => {
    const { run, store } = await openFilled();
    const [id = ''] = await record(store, 'order:9104:33', {});
    await store.outbox.failed(unleased(id), {
      outcome: 'failed',
      status: 503,
      ms: 3,
      error: `POST answered ${'x'.repeat(300)}`,
    });
    for (const command of ['announcements', 'webhooks', 'quarantine', 'subjects', 'audit']) {
      const { stdout } = await run(command);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
    }
    expect((await run('announcements', '--state', 'failing')).stdout).toMatch(
      /^order:9104:33\/1\/created .* POST answered x+…/m,
    );
    expect((await run('webhooks', '--state', 'quarantined')).stdout).toMatch(/^2 .*\n1 /m);
    expect((await run('webhooks', 'show', '1')).stdout).toContain('"eventType":"OrderShipped"');
    const { stdout } = await run('subjects', '--customer', '418', '--csv');
    expect(stdout.split('\r\n')).toHaveLength(5);
    expect(stdout).toMatch(/^Kind,Record,Account,Customer,/);
    expect(await run('subjects', '--after', 'nowhere', '--csv')).toMatchObject({ code: 1, stdout: '' });
  });

  it.each([
    [['subject'], /unknown command 'subject' \(Did you mean subjects\?\)/],
    [['subjects', '--stages', 'picked'], /unknown option '--stages' \(Did you mean --stage\?\)/],
    [['subjects', '--limit', 'abc'], /--limit must be a whole number from 1 to 500$/m],
    [['show', 'foo', '999'], /'foo' is invalid for argument 'kind'. Allowed choices are order, receipt, /],
    [['subjects', '--older-than', 'long'], /--older-than must be a time/],
    [['search', ''], /text must not be empty/],
  ])('exits with 2 and one message for %j', async (args, message) => {
    const { code, stdout, stderr } = await runAdmin(args, {});
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('exits with 2 without a command', async () => {
    expect(await runAdmin([], {})).toMatchObject({ code: 2, stdout: '' });
  });

  it('exits with 1 and the reason if the API rejects the call or does not answer', async () => {
    const { url } = await openFilled();
    const refused = await runAdmin(['status'], { ADMIN_URL: url, ADMIN_TOKEN: 'another-token-altogether' });
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'dockline: the token was rejected; ADMIN_TOKEN must be a token of the running Dockline\n',
    });
    const wrong = await runAdmin(['announcements', 'show', 'nope'], { ADMIN_URL: url, ADMIN_TOKEN: token });
    expect(wrong).toMatchObject({ code: 1, stderr: 'dockline: there is no announcement nope\n' });
    const absent = await runAdmin(['resend', 'order:9104:31/9/picked'], { ADMIN_URL: url, ADMIN_TOKEN: token });
    expect(absent).toMatchObject({ code: 1, stderr: 'dockline: The announcement does not exist.\n' });
    const nobody = await runAdmin(['status'], { ADMIN_PORT: '1' });
    expect(nobody).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/nothing answers at http:\/\/127.0.0.1:1; /),
    });
    const bad = await runAdmin(['status'], { ADMIN_URL: 'here' });
    expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining('ADMIN_URL: must be an http') });
  });

  it('does not follow a redirect, which would leak the token', async () => {
    const { url } = await openFilled();
    const elsewhere = createServer(
      (_request, response) => void response.writeHead(307, { location: `${url}/status` }).end(),
    );
    const port = await listen(elsewhere);
    const redirected = await runAdmin(['status'], { ADMIN_URL: `http://127.0.0.1:${port}`, ADMIN_TOKEN: token });
    expect(redirected).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not Dockline's administrative API"),
    });
  });

  it('says where it looks for Dockline', async () => {
    const { ended, written } = run('admin', ['--help']);
    expect(await ended).toBe(0);
    expect(written.stdout).toContain('(default http://127.0.0.1:ADMIN_PORT)');
  });

  it.each([
    [['--help'], 'Usage: dockline admin <command> [options]'],
    [['show', '--help'], 'Usage: dockline admin show [options] <kind> <id>'],
    [['quarantine', '-h'], 'Usage: dockline admin quarantine [options]'],
  ])('prints the help of %j', async (args, usage) => {
    const { ended, written } = run('admin', args);
    expect({ code: await ended, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(written.stdout).toContain(usage);
    expect(written.stdout).toContain('--json');
  });
});
