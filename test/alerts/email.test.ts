import { createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCertificates, hasOpenssl } from '../support/certificates.ts';
import { listen } from '../support/listen.ts';
import { openMailServer } from './mail-server.ts';
import { openOne, openWithin } from './open-channel.ts';

/** Opens a server that says what it likes to a command; undefined for what a good one says. */
async function openRawServer(answer: (command: string, say: (line: string) => void) => string | undefined) {
  const commands: string[] = [];
  const usual = (command: string) => (command.startsWith('EHLO') ? '250-relay\r\n250 STARTTLS' : '250 Queued');
  const server = createServer((socket) => {
    let isData = false;
    const say = (line: string) => void socket.write(`${line}\r\n`);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const line = bytes.toString().trim();
      if (isData && !line.endsWith('\r\n.')) return;
      if (!isData) commands.push(line);
      isData = !isData && line === 'DATA';
      say(isData ? '354 Go on' : (answer(line, say) ?? usual(line)));
    });
    say('220 relay');
  });
  return { port: await listen(server), commands };
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
    expect(body).toContain('Since 6:00 AM CST, 25 min.');
    expect(mails[0]?.text).toContain('https://board.test/board/destinations/9104/hub');
  });

  it('that is refused says so in the words of the server', async () => {
    const { port, mails } = await openMailServer({ allowInsecureAuth: true });
    const settings = ['kind: email', 'allowPlainText: yes', 'from: dockline@shop.test'];
    const { test } = openOne(...settings, `server: smtp://ada:wrong@127.0.0.1:${port}`, 'to: [ops@shop.test]');
    await expect(test()).rejects.toThrow('Invalid login');
    const { test: unknown } = openOne(...settings, `server: smtp://127.0.0.1:${port}`, 'to: [nobody@shop.test]');
    await expect(unknown()).rejects.toThrow('No such mailbox');
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
    const { test } = openOne(
      'kind: email',
      `server: smtp://127.0.0.1:${port}`,
      'from: dockline@shop.test',
      'to: [ops@shop.test]',
    );
    await expect(test()).rejects.toThrow(/TLS/);
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

  const mail = ['kind: email', 'from: dockline@shop.test', 'to: [ops@shop.test]'];

  /** Makes certificates of an authority that nobody knows. */
  function createPrivate() {
    const { read, path, remove } = createCertificates();
    onTestFinished(remove);
    return { ca: path('ca.crt'), stranger: path('stranger.crt'), cert: read('server.crt'), key: read('server.key') };
  }

  const starttls = { hideSTARTTLS: false, disabledCommands: [] };

  it.skipIf(!hasOpenssl).each([
    ['from the beginning', 'smtps', { secure: true }],
    ['after STARTTLS', 'smtp', starttls],
  ])('is sent over TLS %s to a server that the authority in ca vouches for', async (_, protocol, options) => {
    const { ca, stranger, cert, key } = createPrivate();
    const { port, mails } = await openMailServer({ ...options, cert, key });
    const server = `server: ${protocol}://127.0.0.1:${port}`;
    await expect(openOne(...mail, server, `ca: ${stranger}`).send()).rejects.toThrow(/certificate/);
    expect(await openOne(...mail, server, `ca: ${ca}`).send()).toContain('Queued');
    expect(mails).toMatchObject([{ isSecure: true }]);
  });

  it.skipIf(!hasOpenssl)(
    'is encrypted for anybody where plain text is allowed, and not at all where it is not',
    async () => {
      const { cert, key } = createPrivate();
      const { port, mails } = await openMailServer({ ...starttls, cert, key });
      const server = `server: smtp://ada:s3cret@127.0.0.1:${port}`;
      await expect(openOne(...mail, server).send()).rejects.toThrow(/certificate/);
      expect(mails).toEqual([]);
      expect(await openOne(...mail, server, 'allowPlainText: yes').send()).toContain('Queued');
      expect(mails).toMatchObject([{ isSecure: true, user: 'ada' }]);
    },
  );

  it('goes on in plain text after a refused STARTTLS, only where that is allowed', async () => {
    const { port, commands } = await openRawServer((command) =>
      command === 'STARTTLS' ? '454 TLS not available due to temporary reason' : undefined,
    );
    const server = `server: smtp://127.0.0.1:${port}`;
    await expect(openOne(...mail, server).send()).rejects.toThrow(/TLS|SSL/);
    expect(commands).not.toContain('DATA');
    expect(await openOne(...mail, server, 'allowPlainText: yes').send()).toContain('Queued');
  });

  it('has a limit for everything, however often the server says something', async () => {
    const { port } = await openRawServer((command, say) => {
      if (!command.startsWith('EHLO')) return undefined;
      const timer = setInterval(() => say('250-and more'), 20);
      onTestFinished(() => clearInterval(timer));
      return '250-relay';
    });
    const { send } = openWithin(100, ...mail, `server: smtp://127.0.0.1:${port}`, 'allowPlainText: yes');
    await expect(send()).rejects.toThrow('has not taken the mail within 300 ms');
  });
});
