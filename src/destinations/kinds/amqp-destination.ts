import { createHash } from 'node:crypto';
import type { Extent } from '../../domain/detail.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { OutgoingAnnouncement } from '../../domain/outgoing.ts';
import { attributesIn, CLOUD_EVENT_TYPE } from '../announcements/announced-data.ts';
import { sendingBy } from '../sending/sending.ts';
import { createSigner, signedHeaders } from '../sending/signature.ts';
import { type AmqpMessage, type BrokerOptions, nameOf, openSession, reply, type Session } from './amqp-session.ts';
import { type DestinationContext, type OpenDestination, unreachable } from './kind.ts';

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

/** Bytes. */
const LONGEST = 255;

const messageIdOf = (id: string): string =>
  Buffer.byteLength(id) > LONGEST ? createHash('sha256').update(id).digest('hex') : id;

interface OpenedSession {
  readonly opening: Promise<Session>;
  session?: Session;
}

function createSessions(options: BrokerOptions) {
  let kept: OpenedSession | undefined;

  function find(): Promise<Session> {
    if (kept) return kept.opening;
    const forget = () => {
      if (kept === own) kept = undefined;
    };
    const own: OpenedSession = { opening: openSession(options, forget) };
    kept = own;
    own.opening.then((session) => {
      own.session = session;
    }, forget);
    return own.opening;
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
      const { session } = kept ?? {};
      const why = session?.state.isBlocked ? '; the broker takes no messages, since it is short of memory or disk' : '';
      session?.destroy();
      return unreachable(nameOf(options), `no answer within ${options.timeoutMs} ms${why}`);
    },
    async close() {
      const session = await kept?.opening.catch(() => undefined);
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
