import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';

interface MailServer {
  /** `smtps://` or `smtp://`, maybe with a user and a password. */
  readonly server: string;
  /** Goes on without TLS, or with a certificate of anybody. */
  readonly allowPlainText: 'yes' | 'no';
  /** Certificates of authorities, in PEM. Default: those of Node. */
  readonly ca?: string | undefined;
}

/** Mail as it is written. */
export interface Mail {
  readonly from: string;
  /** As its header has them, whoever gets it now. */
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Taken {
  readonly response: string;
  /** Recipients that it does not take it for. */
  readonly rejected: readonly string[];
  /** Those of them for whom it may be sent again later (4xx), as with greylisting. */
  readonly later: readonly string[];
}

/** Where a failure, of TLS for example, comes before anything of the mail was said. */
const BEFORE_MAIL = ['CONN', 'STARTTLS'];

/** Limit of a whole exchange, as a multiple of the limit of one answer. */
const ANSWERS = 3;

/** Time in which a server has to close its side of a connection, in milliseconds. */
const CLOSE_MS = 1000;

/** An exchange has a limit for each answer, in milliseconds, and one for the whole. */
export function createMailer({ server, allowPlainText, ca }: MailServer, timeoutMs: number) {
  const { protocol, hostname, port, username, password, host } = new URL(server);
  const secure = protocol === 'smtps:';
  const isPlainAllowed = allowPlainText === 'yes';
  const options = {
    host: hostname.replaceAll(/^\[|\]$/g, ''),
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
  };
  const encrypted = createTransport({
    ...options,
    requireTLS: !secure && !isPlainAllowed,
    // Where plain text will do, so does TLS with anybody (RFC 7435), unless somebody is named.
    tls: { ...(ca && { ca }), rejectUnauthorized: !isPlainAllowed || ca !== undefined },
  });
  const plain = createTransport({ ...options, ignoreTLS: true });

  async function submit(mail: SendMailOptions) {
    try {
      return await encrypted.sendMail(mail);
    } catch (error) {
      const { command = '' } = error as NodemailerError;
      if (!isPlainAllowed || !BEFORE_MAIL.includes(command)) throw error;
      return await plain.sendMail(mail);
    }
  }

  return {
    /** Rejects if the server takes a mail for nobody. */
    async send(mail: Mail, to: readonly string[], stop?: AbortSignal): Promise<Taken> {
      const limitMs = ANSWERS * timeoutMs;
      const timeout = AbortSignal.timeout(limitMs);
      const envelope = { from: mail.from, to: [...to] };
      const sent = { ...mail, envelope, signal: stop ? AbortSignal.any([stop, timeout]) : timeout };
      try {
        const { response, rejected, rejectedErrors = [] } = await submit(sent);
        const later = rejectedErrors.flatMap((it: NodemailerError) =>
          it.permanent === false && it.recipient ? [it.recipient] : [],
        );
        return { response, rejected: rejected.map(String), later };
      } catch (error) {
        if (!timeout.aborted) throw error;
        throw new Error(`${host} has not taken the mail within ${limitMs} ms`, { cause: error });
      }
    },
    close() {
      encrypted.close();
      plain.close();
    },
  };
}
