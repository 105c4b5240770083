import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DocklineError } from '../../domain/errors.ts';
import type { Extent, OutgoingAnnouncement } from '../../domain/outgoing.ts';
import { detailForms, findDetailProblems } from '../../forms/destination-forms.ts';
import { findTlsProblems, tlsForms, withTls } from '../../forms/files.ts';
import { consent, plainTextRule, signingSecrets, splitCredentials, withCredentials } from '../../forms/forms.ts';
import { createSigner, signedHeaders } from '../../http/signature.ts';
import { attributesIn, CLOUD_EVENT_TYPE } from '../announcements/announced-data.ts';
import { sendingBy } from '../sending/sending.ts';
import { type AmqpMessage, type BrokerOptions, nameOf, openSession, reply, type Session } from './amqp-session.ts';
import { type DestinationContext, defineKind, type OpenDestination, unreachable } from './kind.ts';

/** The path is the virtual host. May contain a user and a password ({@link splitCredentials}). */
const brokerAddress = withCredentials(
  z.url({ protocol: /^amqps?$/, hostname: /./, error: 'must be an amqps:// or amqp:// address' }),
)
  .refine(
    (text) => /^(?:\/(?:[^/%]|%[0-9a-f]{2})*)?$/i.test(URL.parse(text)?.pathname ?? ''),
    'must have no more of a path than its virtual host, percent-encoded',
  )
  .refine((text) => !/[?#]/.test(text), 'must have no query, which would have no effect');

/** AMQP 0-9-1, section 3.1.3.1. */
const exchangeName = z
  .string()
  .regex(/^[\w.:-]{1,127}$/, 'must be of letters, digits, hyphens, underscores, periods and colons, at most 127')
  .default('dockline');

const forms = {
  url: brokerAddress.describe(
    'the broker of the exchange, `amqps://user:password@host:port/virtual-host`, percent-encoded; the virtual host is `/` and the port 5671 if they are left out. Without a user the client certificate is the login (EXTERNAL), or, without one, it is `guest`.',
  ),
  allowAmqp: consent(
    'Plain amqp is refused beyond loopback unless this is `yes`: the login and announcements travel there readable.',
  ),
  exchange: exchangeName.describe(
    'Exchange to which announcements are published, with their type as routing key. It has to exist.',
  ),
  secret: signingSecrets.optional().describe('optional; signs, in headers of the message.'),
  ...tlsForms,
  ...detailForms,
};

export const amqp = defineKind({
  about: 'an exchange of RabbitMQ',
  forms,
  rules: (given) => [
    plainTextRule(given.url, 'amqp', given.allowAmqp, 'the login and announcements'),
    ...findDetailProblems(given),
    ...findTlsProblems(given, 'amqps'),
  ],
  toSettings(parsed) {
    const { url, allowAmqp: _, ...rest } = withTls(parsed);
    return { ...rest, ...splitCredentials(url) };
  },
  open: (settings, context) => createAmqpDestination({ ...settings, ...context }),
  untaken: reply.noRoute,
  advice: {
    [reply.noRoute]:
      'Bind a queue to the exchange, by # or by the types that the destination wants: an announcement that no queue gets fails and waits. If only tests have none, leave it so.',
    [reply.accessRefused]:
      'Check the user and the password in the address, percent-encoded, and that this user may write to the exchange (rabbitmqctl set_permissions). The user guest may log in from the machine of the broker only.',
    [reply.notAllowed]:
      'The path of the address names the virtual host, percent-encoded; without one it is /. Check that it exists (rabbitmqctl list_vhosts) and that the user has permissions in it.',
    [reply.notFound]: 'Create a durable topic exchange of that name: Dockline does not.',
  },
});

export interface AmqpOptions extends BrokerOptions, Extent, DestinationContext {
  /** `whsec_<base64>`. Default: messages are not signed. */
  readonly secret?: readonly string[] | undefined;
}

/** Persistent and confirmed. Connects on demand; what was not confirmed before its connection ended is published once more. */
export function createAmqpDestination(options: AmqpOptions): OpenDestination {
  const { url, timeoutMs } = options;
  const write = createWriter(options);
  const sessions = createSessions(options);

  const begin = (outgoing: OutgoingAnnouncement, signal: AbortSignal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const limit = AbortSignal.any([signal, timeout]);
    return async (body: Buffer) => {
      try {
        return (await before(limit, sessions.publish(write(outgoing, body), limit))) ?? { status: reply.success };
      } catch (error) {
        signal.throwIfAborted();
        throw error === timeout.reason ? sessions.giveUp() : error;
      }
    };
  };

  const attributes = { 'messaging.system': 'rabbitmq', 'server.address': url };
  return { send: sendingBy(options, 'producer', attributes, begin), close: sessions.close };
}

function createWriter({ secret, tracing }: AmqpOptions) {
  const sign = secret && createSigner(secret);
  return (outgoing: OutgoingAnnouncement, body: Buffer): AmqpMessage => {
    const timestamp = Math.floor(Date.now() / 1000);
    const { type = '', partitionkey } = attributesIn(body);
    const headers = {
      ...(partitionkey !== undefined && { partitionkey }),
      ...signedHeaders(outgoing, body, { sign, timestamp, tracing }),
    };
    const properties = { contentType: CLOUD_EVENT_TYPE, headers, timestamp, appId: 'dockline' };
    return { messageId: messageIdOf(outgoing.id), routingKey: type.replace('dockline.', ''), body, properties };
  };
}

const LONGEST = 255;

const messageIdOf = (id: string): string =>
  Buffer.byteLength(id) > LONGEST ? createHash('sha256').update(id).digest('hex') : id;

function createSessions(options: BrokerOptions) {
  let kept: Promise<Session> | undefined;
  let opened: Session | undefined;

  async function find(): Promise<Session> {
    if (kept) return await kept;
    const forget = () => {
      if (kept !== own) return;
      kept = undefined;
      opened = undefined;
    };
    const own = openSession(options, forget);
    kept = own;
    own.catch(forget);
    const session = await own;
    if (kept === own) opened = session;
    return session;
  }

  /** Publishes nothing after `limit`, since the announcement may be sent again from then on. */
  async function publish(message: AmqpMessage, limit: AbortSignal, isLast = false): Promise<DocklineError | undefined> {
    const session = await find();
    limit.throwIfAborted();
    try {
      return await session.publish(message);
    } catch (error) {
      limit.throwIfAborted();
      const hasEnded = error instanceof DocklineError && error.code === 'ERR_DESTINATION_UNREACHABLE';
      if (isLast || !hasEnded) throw error;
      return await publish(message, limit, true);
    }
  }

  return {
    publish,
    giveUp(): DocklineError {
      const why = opened?.state.isBlocked ? '; the broker takes no messages, since it is short of memory or disk' : '';
      opened?.destroy();
      return unreachable(nameOf(options), `no answer within ${options.timeoutMs} ms${why}`);
    },
    async close() {
      const session = await kept?.catch(() => undefined);
      await session?.close();
    },
  };
}

function before<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
  return Promise.race([result, aborted]);
}
