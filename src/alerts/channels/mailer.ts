import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';

interface MailServer {
  /** `smtps://` or `smtp://`, with credentials or without. */
  readonly server: string;
  /** Also without TLS, or with anybody's certificate. */
  readonly allowPlainText: 'yes' | 'no';
  /** Authorities, in PEM. */
  readonly ca?: string | undefined;
}

export interface Mail {
  readonly from: string;
  /** In the header, whoever gets it now. */
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Taken {
  readonly response: string;
  readonly rejected: readonly string[];
  /** It may be sent to them later (4xx), as with greylisting. */
  readonly later: readonly string[];
}

/** Nothing of the mail was said yet. */
const BEFORE_MAIL = ['CONN', 'STARTTLS'];

/** Whole exchange, in limits of one answer. */
const ANSWERS = 3;

/** For the server to close its side. */
const CLOSE_MS = 1000;

/** `timeoutMs` limits each answer; the whole is limited, too. */
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
    /** Rejects if the server takes it for nobody. */
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
