import { z } from 'zod';
import { isWaiting } from '../../domain/health/telling.ts';
import { backoffMs } from '../../domain/retry-policy.ts';
import { tlsForms } from '../../forms/pem-files.ts';
import { plainText } from '../message.ts';
import { defineChannel } from './kind.ts';
import { createMailer, type Mail } from './mailer.ts';

const mailbox = z.string().regex(/^[^\s@<>,]+@[^\s@<>,]+$/, 'must be an address such as ops@example.com');

const forms = {
  server: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtps:// or smtp:// address' })
    .refine((text) => /^\/?$/.test(URL.parse(text)?.pathname ?? ''), 'must have no path')
    .describe(
      '`smtps://` has TLS from the beginning (465), `smtp://` changes to it with STARTTLS (587). Neither the guard of addresses nor proxies apply to it.',
    ),
  allowPlainText: z
    .enum(['yes', 'no'])
    .default('no')
    .describe(
      'With `smtp://`: `yes` also takes a certificate of anybody (unless `ca` names who vouches), and continues in plain text, password included, if the server has no TLS or TLS fails. `no` sends nothing then.',
    ),
  ca: tlsForms.ca.describe(
    'Certificates of the authorities that vouch for the server, in place of the public ones: the path of a PEM file.',
  ),
  from: mailbox.describe('Address of the sender.'),
  to: z.array(mailbox, 'must be a list').min(1, 'must name at least one').describe('Addresses of those who get it.'),
};

/** Some recipients are to get it later. */
interface Deferred {
  readonly mail: Mail;
  readonly to: readonly string[];
  readonly attempts: number;
  readonly nextTryAt: number;
}

/** Some three hours. */
const MOST_ATTEMPTS = 20;

/** TLS from the beginning (`smtps`), or after STARTTLS, without which mail is sent only by consent. */
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
    let deferred: readonly Deferred[] = [];

    function defer(mail: Mail, later: readonly string[], attempts: number, now: number): void {
      if (later.length === 0 || attempts > MOST_ATTEMPTS) return;
      deferred = [...deferred, { mail, to: later, attempts, nextTryAt: now + backoffMs('alert', attempts) }];
    }

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
        const { response, rejected, later } = await mailer.send(mail, to, stop);
        // It is confirmed once anybody gets it: sent again, it would come twice to those.
        defer(mail, later, 1, message.at);
        return rejected.length > 0 ? `${response}; not to ${rejected.join(', ')}` : response;
      },
      async catchUp(now, stop) {
        const due = deferred.filter(({ nextTryAt }) => !isWaiting(nextTryAt, now));
        deferred = deferred.filter((it) => !due.includes(it));
        for (const { mail, to: late, attempts } of due) {
          const { later } = await mailer.send(mail, late, stop).catch(() => ({ later: late }));
          defer(mail, later, attempts + 1, now);
        }
      },
      close: async () => mailer.close(),
    };
  },
  place: ({ server, to }) => `${to.join(', ')} by ${new URL(server).host}`,
});
