import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { listen } from '../support/listen.ts';

/** Opens an SMTP server that keeps the mails that it gets. */
export async function openMailServer(options: SMTPServerOptions = {}) {
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
