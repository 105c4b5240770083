import { DocklineError, reasonOf } from '../../domain/errors.ts';

/** AMQP 0-9-1 (section 1.2) and RabbitMQ; 200 is success as in HTTP. */
export const reply = {
  success: 200,
  noRoute: 312,
  accessRefused: 403,
  notFound: 404,
  preconditionFailed: 406,
  notAllowed: 530,
} as const;

/** It concerns more than this message. */
export const brokerFailure = (name: string, reason: string, status?: number): DocklineError =>
  new DocklineError('ERR_DESTINATION_FAILED', `${name} failed: ${reason}`, status === undefined ? {} : { status });

export const unreachable = (name: string, reason: string, cause?: unknown): DocklineError =>
  new DocklineError('ERR_DESTINATION_UNREACHABLE', `${name} failed: ${reason}`, { cause });

const rejection = (name: string, reason: string, status?: number): DocklineError =>
  new DocklineError('ERR_DESTINATION_REFUSED', `${name} failed: ${reason}`, status === undefined ? {} : { status });

/** Why RabbitMQ ended a channel: a message, of this size, was larger than `max_message_size`. */
const TOO_LARGE = /message size (\d+) (?:is )?larger than/;

/**
 * In words of our own: a broker's may name users. `bytes` is the size of the failed message, since another on its channel may have ended
 * that.
 */
export function explain(error: unknown, name: string, exchange: string, bytes?: number): DocklineError {
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
