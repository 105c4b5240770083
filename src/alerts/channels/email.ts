import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { plainText } from '../message.ts';
import { defineChannel } from './kind.ts';

const mailbox = z.string().regex(/^[^\s@<>,]+@[^\s@<>,]+$/, 'must be an address such as ops@example.com');

const forms = {
  server: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtps:// or smtp:// address' })
    .refine((text) => /^\/?$/.test(URL.parse(text)?.pathname ?? ''), 'must have no path'),
  allowPlainText: z.enum(['yes', 'no']).default('no'),
  from: mailbox,
  to: z.array(mailbox, 'must be a list').min(1, 'must name at least one'),
};

/** Mail over SMTP: with TLS from the beginning (`smtps`), or after STARTTLS, without which it is sent only by consent. */
export const email = defineChannel({
  forms,
  rules: ({ allowPlainText, server = '' }) => [
    [
      allowPlainText === 'yes' && server.startsWith('smtps:'),
      'allowPlainText',
      'has no effect with smtps://, which is never plain text',
    ],
  ],
  open({ server, allowPlainText, from, to }, { timeoutMs }) {
    const { protocol, hostname, port, username, password } = new URL(server);
    const secure = protocol === 'smtps:';
    const host = hostname.replaceAll(/^\[|\]$/g, '');
    const transport = createTransport({
      host,
      port: Number(port) || (secure ? 465 : 587),
      secure,
      requireTLS: !secure && allowPlainText === 'no',
      ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Nothing in a message names a file or an address to attach.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return {
      async send(message) {
        const { response, rejected } = await transport.sendMail({
          from,
          to,
          subject: message.title,
          text: plainText(message),
          messageId: `<${message.id}@${from.split('@')[1]}>`,
          // No program answers that it is out of office (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        // It is confirmed once anybody gets it: sent again, it would come twice to those.
        return rejected.length > 0 ? `${response}; not to ${rejected.map(String).join(', ')}` : response;
      },
      close: async () => transport.close(),
    };
  },
  place: ({ server, to }) => `${to.join(', ')} by ${new URL(server).host}`,
});
