import { createTransport, type SendMailOptions } from 'nodemailer';
import { z } from 'zod';
import { withoutBrackets } from '../../base/loopback.ts';
import { tlsForms } from '../../forms/files.ts';
import { consent } from '../../forms/forms.ts';
import { plainText } from '../message.ts';
import { defineChannel } from './kind.ts';

const mailbox = z.string().regex(/^[^\s@<>,]+@[^\s@<>,]+$/, 'must be an address such as ops@example.com');

const forms = {
  server: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtps:// or smtp:// address' })
    .refine((text) => /^\/?$/.test(URL.parse(text)?.pathname ?? ''), 'must have no path')
    .describe(
      '`smtps://` has TLS from the beginning (465), `smtp://` changes to it with STARTTLS (587). Neither the guard of addresses nor proxies apply to it.',
    ),
  allowPlainText: consent(
    'With `smtp://`: `yes` also takes a certificate of anybody (unless `ca` names who vouches), and continues in plain text, password included, if the server has no TLS. `no` sends nothing then.',
  ),
  ca: tlsForms.ca.describe(
    'Certificates of the authorities that vouch for the server, in place of the public ones: the path of a PEM file.',
  ),
  from: mailbox.describe('Address of the sender.'),
  to: z.array(mailbox, 'must be a list').min(1, 'must name at least one').describe('Addresses of those who get it.'),
};

export const email = defineChannel({
  forms,
  rules: ({ allowPlainText, server = '' }) => [
    [
      allowPlainText === 'yes' && server.startsWith('smtps:'),
      'allowPlainText',
      'has no effect with smtps://, which is never plain text',
    ],
  ],
  open({ from, to, ...server }, { timeoutMs }) {
    const mailer = createMailer(server, timeoutMs);
    return {
      async send(message, stop) {
        const mail = {
          from,
          to,
          subject: message.title,
          text: plainText(message),
          messageId: `<${message.id}@${from.split('@')[1]}>`,
          // No program answers that it is out of office (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        };
        // It is confirmed once anybody gets it: sent again, it would come twice to those.
        const { response, rejected } = await mailer.send(mail, stop);
        return rejected.length > 0 ? `${response}; not to ${rejected.join(', ')}` : response;
      },
      close: async () => mailer.close(),
    };
  },
});

type MailServer = Omit<z.output<z.ZodObject<typeof forms>>, 'from' | 'to'>;

/** Whole exchange, in limits of one answer. */
const ANSWERS = 3;

/** For the server to close its side. */
const CLOSE_MS = 1000;

function createMailer({ server, allowPlainText, ca }: MailServer, timeoutMs: number) {
  const { protocol, hostname, port, username, password, host } = new URL(server);
  const secure = protocol === 'smtps:';
  const isPlainAllowed = allowPlainText === 'yes';
  const transport = createTransport({
    host: withoutBrackets(hostname),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: CLOSE_MS,
    // Nothing in a message names a file or an address to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
    requireTLS: !secure && !isPlainAllowed,
    opportunisticTLS: isPlainAllowed,
    // Where plain text will do, so does TLS with anybody (RFC 7435), unless somebody is named.
    tls: { ...(ca && { ca }), rejectUnauthorized: !isPlainAllowed || ca !== undefined },
  });
  return {
    async send(mail: SendMailOptions, stop?: AbortSignal) {
      const limitMs = ANSWERS * timeoutMs;
      const timeout = AbortSignal.timeout(limitMs);
      try {
        return await transport.sendMail({ ...mail, signal: stop ? AbortSignal.any([stop, timeout]) : timeout });
      } catch (error) {
        if (!timeout.aborted) throw error;
        throw new Error(`${host} has not taken the mail within ${limitMs} ms`, { cause: error });
      }
    },
    close: () => transport.close(),
  };
}
