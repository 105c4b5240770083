import { setTimeout as pause } from 'node:timers/promises';
import type { ConfirmChannel, Options, SocketOptions } from 'amqplib';
import { withoutBrackets } from '../../base/loopback.ts';
import { DocklineError, reasonOf } from '../../domain/errors.ts';
import type { Tls } from '../../forms/files.ts';
import { createGuard, guardedLookup } from '../../http/guard.ts';
import { connecting } from '../../http/lookup.ts';
import { type DestinationContext, unreachable } from './kind.ts';

/** AMQP 0-9-1 (section 1.2) and RabbitMQ; 200 is success as in HTTP. */
export const reply = {
  success: 200,
  noRoute: 312,
  accessRefused: 403,
  notFound: 404,
  preconditionFailed: 406,
  notAllowed: 530,
} as const;

const brokerFailure = (name: string, reason: string, status?: number): DocklineError =>
  new DocklineError('ERR_DESTINATION_FAILED', `${name} failed: ${reason}`, { status });

const rejection = (name: string, reason: string, status?: number): DocklineError =>
  new DocklineError('ERR_DESTINATION_REFUSED', `${name} failed: ${reason}`, { status });

/** Why RabbitMQ ended a channel: a message, of this size, was larger than `max_message_size`. */
const TOO_LARGE = /message size (\d+) (?:is )?larger than/;

/** In words of our own, since a broker's may name users. `bytes` is the failed message's: another on its channel may have ended that. */
function explain(error: unknown, name: string, exchange: string, bytes?: number): DocklineError {
  const { message, code } = error as Error & { readonly code?: unknown };
  if (TOO_LARGE.exec(message)?.[1] === String(bytes))
    return rejection(name, 'the message is too large', reply.preconditionFailed);
  if (bytes !== undefined && (error instanceof RangeError || error instanceof TypeError))
    return rejection(name, 'its attributes are too long for a message');
  if (message === 'message nacked') return brokerFailure(name, 'the broker did not take the message');
  if (/^Handshake terminated by server: 403\b/.test(message))
    return brokerFailure(name, 'the login was refused', reply.accessRefused);
  // The client does not show the reason that the broker gives.
  if (message.startsWith('Expected ConnectionOpenOk; got <ConnectionClose'))
    return brokerFailure(name, 'the virtual host was refused', reply.notAllowed);
  if (code === reply.notFound) return brokerFailure(name, `there is no exchange ${exchange}`, code);
  if (code === reply.accessRefused)
    return brokerFailure(name, `the user may not write to the exchange ${exchange}`, code);
  return unreachable(name, typeof code === 'string' ? reasonOf(error) : 'the connection ended', error);
}

export interface BrokerOptions extends Pick<DestinationContext, 'timeoutMs' | 'allowedAddresses'> {
  /** `amqps://host/virtual-host`, without credentials. */
  readonly url: string;
  /** `user:password`. Default: the client certificate, or else the user `guest`. */
  readonly credentials?: string | undefined;
  readonly exchange: string;
  readonly tls?: Tls | undefined;
}

export interface AmqpMessage {
  readonly messageId: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: Options.Publish;
}

export type Session = Awaited<ReturnType<typeof openSession>>;

const HEARTBEAT_S = 30;

const CLOSE_MS = 1000;

export const nameOf = ({ url, exchange }: Pick<BrokerOptions, 'url' | 'exchange'>): string =>
  `publishing to ${exchange} at ${url}`;

export async function openSession(options: BrokerOptions, onEnd: () => void) {
  const { exchange, timeoutMs } = options;
  const name = nameOf(options);
  const ending = new AbortController();
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, timeoutMs);
  try {
    const connection = await connectTo(options, ending.signal);
    // Whatever ends the connection ends the channel, and with it what waits for a confirmation.
    connection.on('error', () => undefined);
    const channel = await connection.createConfirmChannel();
    const state = { isOpen: true, /** The broker is short of memory or disk. */ isBlocked: false };
    connection.on('blocked', () => (state.isBlocked = true)).on('unblocked', () => (state.isBlocked = false));
    const close = async () => {
      const late = pause(CLOSE_MS, undefined, { signal: ending.signal });
      await Promise.race([connection.close(), late]).catch(() => undefined);
      ending.abort();
      await late.catch(() => undefined);
    };
    channel.once('close', () => {
      state.isOpen = false;
      onEnd();
      void close();
    });
    const publish = createPublish(channel, exchange, name);
    await channel.checkExchange(exchange);
    return { state, publish, destroy: () => ending.abort(), close };
  } catch (error) {
    ending.abort();
    if (error instanceof DocklineError) throw error;
    throw isLate ? unreachable(name, `no answer within ${timeoutMs} ms`) : explain(error, name, exchange);
  } finally {
    clearTimeout(limit);
  }
}

async function connectTo({ url, credentials: given, tls, allowedAddresses }: BrokerOptions, signal: AbortSignal) {
  const { protocol, hostname: host, port, pathname } = new URL(url);
  const hostname = withoutBrackets(host);
  // Most installations have none, so that it is not loaded at each start.
  const { connect, credentials } = await import('amqplib');
  const [user = 'guest', ...password] = given?.split(':') ?? [];
  const login = credentials.plain(user, given === undefined ? 'guest' : password.join(':'));
  const address = {
    protocol: protocol.slice(0, -1),
    hostname,
    ...(port && { port: Number(port) }),
    vhost: pathname.slice(1) || '/',
    heartbeat: HEARTBEAT_S,
  };
  return await connect(address, {
    ...tls,
    ...connecting,
    lookup: guardedLookup(createGuard(url, allowedAddresses), hostname),
    signal,
    noDelay: true,
    credentials: given === undefined && tls?.cert ? credentials.external() : login,
    clientProperties: { connection_name: 'dockline' },
  } as SocketOptions);
}

/** Resolves to the failure if it is rejected; throws others. The broker returns an unroutable message before it confirms it. */
function createPublish(channel: ConfirmChannel, exchange: string, name: string) {
  const unrouted = new Set<string>();
  let broken: Error | undefined;
  channel.on('error', (error) => (broken = error));
  channel.on('return', ({ properties }) => unrouted.add(properties.messageId));

  return ({ messageId, routingKey, body, properties }: AmqpMessage) =>
    new Promise<DocklineError | undefined>((resolve, reject) => {
      const options = { ...properties, messageId, mandatory: true, persistent: true };
      const fail = (why: Error) => {
        const failure = explain(broken ?? why, name, exchange, body.byteLength);
        if (failure.code === 'ERR_DESTINATION_REFUSED') resolve(failure);
        else reject(failure);
      };
      const settle = (why: Error | null) => {
        const isUnrouted = unrouted.delete(messageId);
        if (why) fail(why);
        else if (isUnrouted) reject(brokerFailure(name, `no queue is bound for ${routingKey}`, reply.noRoute));
        else resolve(undefined);
      };
      try {
        channel.publish(exchange, routingKey, body, options, settle);
      } catch (error) {
        fail(error as Error);
      }
    });
}
