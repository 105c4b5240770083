import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { composeMessage } from '../../src/alerts/message.ts';
import { openChannels } from '../../src/app/alert-channels.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { News } from '../../src/domain/alerts/telling.ts';
import { writeTemporary } from '../config/temporary-text.ts';
import { createCertificates, hasOpenssl } from '../support/certificates.ts';
import { listen } from '../support/listen.ts';
import { openReceiver } from './receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

const newsOf = (about: string, because: string): News => ({
  change: 'opened',
  alert: {
    finding: {
      condition: 'destination-stopped',
      about,
      count: 1,
      isMore: false,
      since: Date.UTC(2026, 1, 11, 12),
      because,
      path: '/board/destinations/9104/hub',
    },
    phase: 'open',
    since: 0,
    goneSince: null,
    told: {},
  },
});

const message = composeMessage([newsOf('hub of warehouse 9104', 'it answered <410> & *gone*')], {
  id: 'a-message',
  at: Date.UTC(2026, 1, 11, 12, 25),
  boardUrl: 'https://board.test',
});

/** Opens one channel by its settings, in the words of the file. */
function openOne(...settings: readonly string[]) {
  const lines = settings.map((line) => `      ${line}\n`).join('');
  const config = loadConfig({ ALERTS_FILE: writeTemporary(`alerts:\n  channels:\n    - name: ops\n${lines}`) });
  const channels = openChannels(config, config.alerts ?? { channels: [] }, 2000);
  return { channels, send: () => channels.open[0]?.channel.send(message) };
}

describe('a channel', () => {
  it('of Slack is told in blocks, in which nothing is a link or a mention but the board', async () => {
    const { url, received } = await openReceiver();
    const { send } = openOne('kind: slack', `url: ${url}`);
    expect(await send()).toBe('answered 200: ok');
    expect(received[0]?.body).toEqual({
      text: 'Dockline has stopped sending to destination hub of warehouse 9104',
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: [
              '*Dockline has stopped sending to destination hub of warehouse 9104*',
              'Since 2026-02-11 12:00 UTC, 25 min.',
              'As far as known: it answered &lt;410&gt; &amp; *gone*.',
              'Mend the destination, then press Resume on its page: what waits is sent in order.',
              '<https://board.test/board/destinations/9104/hub|Open on the board>',
            ].join('\n'),
          },
        },
        { type: 'section', text: { type: 'mrkdwn', text: 'All alerts: https://board.test/board/alerts' } },
      ],
    });
  });

  it('of Teams is told in an Adaptive Card, in which nothing is Markdown', async () => {
    const { url, received } = await openReceiver();
    await openOne('kind: teams', `url: ${url}`).send();
    const [{ contentType, content }] = received[0]?.body.attachments ?? [];
    expect(received[0]?.body.type).toBe('message');
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(content.body.map((it: { text?: string }) => it.text)).toEqual([
      'Dockline has stopped sending to destination hub of warehouse 9104',
      'Since 2026-02-11 12:00 UTC, 25 min.',
      'As far as known: it answered <410> & \\*gone\\*.',
      'Mend the destination, then press Resume on its page: what waits is sent in order.',
      undefined,
    ]);
    expect(content.body.at(-1).actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open on the board', url: 'https://board.test/board/destinations/9104/hub' },
    ]);
  });

  it('that is a webhook is told in JSON that another implementation of Standard Webhooks verifies', async () => {
    const { url, received } = await openReceiver();
    await openOne('kind: webhook', `url: ${url}`, `secret: ${SECRET}`).send();
    const [{ headers, body } = { headers: {}, body: undefined }] = received;
    const verified = new Webhook(SECRET).verify(JSON.stringify(body), headers as Record<string, string>);
    expect(headers['webhook-id']).toBe('a-message');
    expect(verified).toMatchObject({
      type: 'dockline.alerts',
      id: 'a-message',
      alerts: [{ condition: 'destination-stopped', about: 'hub of warehouse 9104', since: '2026-02-11T12:00:00.000Z' }],
    });
  });

  it('says in its own words why it has not confirmed, and not its address', async () => {
    const { url, answer } = await openReceiver();
    Object.assign(answer, { status: 404, text: 'no_team' });
    const { channels } = openOne('kind: slack', `url: ${url}`);
    const { isDelivered, detail } = await channels.test('ops');
    expect({ isDelivered, detail }).toEqual({
      isDelivered: false,
      detail: `POST ${new URL(url).origin} answered 404: no_team`,
    });
  });

  it('is told by a status after an interim one, though the body of the answer never ends', async () => {
    const answer = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nok';
    const server = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.write(answer)),
    );
    const { send } = openOne('kind: slack', `url: http://127.0.0.1:${await listen(server)}/`);
    expect(await send()).toBe('answered 200: ok');
  });

  it('is not reached at an internal address that nobody allowed', async () => {
    const { channels } = openOne('kind: slack', 'url: https://169.254.169.254/hook');
    expect((await channels.test('ops')).isDelivered).toBe(false);
    const { channels: local } = openOne('kind: slack', 'url: http://10.0.0.1/hook', 'allowHttp: yes');
    expect((await local.test('ops')).isDelivered).toBe(false);
  });
});

/** Opens an SMTP server that keeps the mails that it gets. */
async function openMailServer(options: SMTPServerOptions = {}) {
  const mails: {
    readonly user: string | undefined;
    readonly isSecure: boolean;
    readonly to: string[];
    readonly text: string;
  }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, callback) =>
      password === 's3cret' ? callback(null, { user: username }) : callback(new Error('Invalid login')),
    onRcptTo: ({ address }, _session, callback) =>
      callback(address.startsWith('nobody@') ? new Error('No such mailbox') : null),
    onData(stream, { user, secure, envelope }, callback) {
      void text(stream).then((mail) => {
        mails.push({ user, isSecure: secure, to: envelope.rcptTo.map(({ address }) => address), text: mail });
        callback(null, 'Queued');
      });
    },
    ...options,
  });
  // A client that does not trust it ends the connection.
  server.on('error', () => undefined);
  return { port: await listen(server.server), mails };
}

describe('e-mail', () => {
  it('is sent with a user and a password, and says what, since when, why and where', async () => {
    const { port, mails } = await openMailServer({ allowInsecureAuth: true });
    const { send } = openOne(
      'kind: email',
      `server: smtp://ada:s3cret@127.0.0.1:${port}`,
      'allowPlainText: yes',
      'from: dockline@shop.test',
      'to: [ops@shop.test, lead@shop.test]',
    );
    expect(await send()).toContain('Queued');
    expect(mails).toMatchObject([{ user: 'ada', to: ['ops@shop.test', 'lead@shop.test'] }]);
    const [head = '', body = ''] = mails[0]?.text.split('\r\n\r\n', 2) ?? [];
    expect(head).toContain('Auto-Submitted: auto-generated');
    expect(head).toContain('Message-ID: <a-message@shop.test>');
    expect(head.replaceAll('\r\n ', ' ')).toContain(
      'Subject: Dockline has stopped sending to destination hub of warehouse 9104',
    );
    expect(body).toContain('Since 2026-02-11 12:00 UTC, 25 min.');
    expect(mails[0]?.text).toContain('https://board.test/board/destinations/9104/hub');
  });

  it('that is refused says so in the words of the server', async () => {
    const { port, mails } = await openMailServer({ allowInsecureAuth: true });
    const settings = ['kind: email', 'allowPlainText: yes', 'from: dockline@shop.test'];
    const { channels } = openOne(...settings, `server: smtp://ada:wrong@127.0.0.1:${port}`, 'to: [ops@shop.test]');
    expect((await channels.test('ops')).detail).toContain('Invalid login');
    const { channels: unknown } = openOne(...settings, `server: smtp://127.0.0.1:${port}`, 'to: [nobody@shop.test]');
    expect((await unknown.test('ops')).detail).toContain('No such mailbox');
    expect(mails).toEqual([]);
  });

  it('to several is confirmed once anybody gets it, and names the others', async () => {
    const { port } = await openMailServer();
    const { send } = openOne(
      'kind: email',
      `server: smtp://127.0.0.1:${port}`,
      'allowPlainText: yes',
      'from: dockline@shop.test',
      'to: [ops@shop.test, nobody@shop.test]',
    );
    expect(await send()).toContain('not to nobody@shop.test');
  });

  it('is not sent in plain text without consent', async () => {
    const { port, mails } = await openMailServer();
    const { channels } = openOne(
      'kind: email',
      `server: smtp://127.0.0.1:${port}`,
      'from: dockline@shop.test',
      'to: [ops@shop.test]',
    );
    expect(await channels.test('ops')).toMatchObject({ isDelivered: false, detail: expect.stringMatching(/TLS/) });
    expect(mails).toEqual([]);
  });

  it.skipIf(!hasOpenssl).each([
    ['from the beginning', 'smtps', { secure: true }],
    ['after STARTTLS', 'smtp', { hideSTARTTLS: false, disabledCommands: [] }],
  ])('is sent over TLS %s to a server whose certificate is trusted', async (_, protocol, options) => {
    const { read, remove } = createCertificates();
    onTestFinished(remove);
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, read('ca.crt')]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const certificate = { cert: read('server.crt'), key: read('server.key') };
    const { port, mails } = await openMailServer({ ...options, ...certificate });
    const { send } = openOne(
      'kind: email',
      `server: ${protocol}://ada:s3cret@127.0.0.1:${port}`,
      'from: dockline@shop.test',
      'to: [ops@shop.test]',
    );
    expect(await send()).toContain('Queued');
    expect(mails).toMatchObject([{ user: 'ada', isSecure: true, to: ['ops@shop.test'] }]);
  });

  it.skipIf(!hasOpenssl)('is not sent to a server whose certificate nobody vouches for', async () => {
    const { read, remove } = createCertificates();
    onTestFinished(remove);
    const certificate = { cert: read('server.crt'), key: read('server.key') };
    const { port, mails } = await openMailServer({ secure: true, ...certificate });
    const { channels } = openOne(
      'kind: email',
      `server: smtps://127.0.0.1:${port}`,
      'from: dockline@shop.test',
      'to: [ops@shop.test]',
    );
    expect(await channels.test('ops')).toMatchObject({
      isDelivered: false,
      detail: expect.stringMatching(/certificate/i),
    });
    expect(mails).toEqual([]);
  });
});
