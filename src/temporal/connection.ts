import { extname, join } from 'node:path';
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
import {
  Client,
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  NamespaceNotFoundError,
} from '@temporalio/client';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { ForeignQueueError } from './pollers.ts';
import type { TemporalCredentials } from './settings.ts';

export interface TemporalOptions {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  /** Default: plain text without a key. */
  readonly credentials?: TemporalCredentials;
  readonly dataConverter?: DataConverter;
  /** Of one call, retries included. Default 10,000. */
  readonly callTimeoutMs?: number;
  /** Until the deadline. Default: true. */
  readonly retries?: boolean;
}

export type Temporal = ReturnType<typeof openTemporal>;

/** Lazy: connects at the first call, so that opening never fails. Every call has a deadline. */
export function openTemporal({
  address,
  namespace,
  credentials,
  dataConverter,
  callTimeoutMs = 10_000,
  retries = true,
}: TemporalOptions) {
  let isClosed = false;
  const connection = Connection.lazy({
    ...credentials,
    address,
    interceptors: [retryUntil(callTimeoutMs, retries, () => isClosed)],
    // By default the channel waits up to two minutes before it reconnects after a long outage.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2_000,
    },
  });
  const client = new Client({ connection, namespace, ...(dataConverter && { dataConverter }) });
  return {
    connection,
    client,
    async close() {
      isClosed = true;
      await connection.close();
    },
  };
}

/** True if the same request may succeed later; false for a verdict on the request, such as a payload that is too large. */
export function isOutage(error: unknown): boolean {
  if (error instanceof NamespaceNotFoundError || error instanceof ForeignQueueError) return true;
  if (isGrpcServiceError(error)) return isUnanswered(error) || (!refusals.has(error.code) && !isTooLarge(error));
  return error instanceof Error && error.cause !== undefined && isOutage(error.cause);
}

const refusals: ReadonlySet<status> = new Set([
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.ALREADY_EXISTS,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
]);

/** The server refuses a message for its size with the status of overload. */
const isTooLarge = ({ code, details }: StatusObject): boolean =>
  code === status.RESOURCE_EXHAUSTED && /larger than max/.test(details);

/** No answer is possible now: no worker polls, or the workflow's task fails. */
const isUnanswered = ({ code, details }: StatusObject): boolean =>
  code === status.FAILED_PRECONDITION && /no poller seen|workflow task in failed state/i.test(details);

/** For rejections that do not matter: a thing is gone, or somebody else was faster. */
export function ignoring(type: abstract new (...args: never[]) => Error): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof type)) throw error;
  };
}

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

/**
 * Wraps the SDK's retries in a deadline, without retries of messages that are too large. Ends a call that waits for its
 * retry when the connection closes: the SDK would throw from a timer, and never settle the call.
 */
function retryUntil(timeoutMs: number, retries: boolean, isClosed: () => boolean): Interceptor {
  const defaults = defaultGrpcRetryOptions();
  const retry = makeGrpcRetryInterceptor({
    ...defaults,
    retryableDecider: (attempt, status) => retries && !isTooLarge(status) && defaults.retryableDecider(attempt, status),
  });
  return (options, nextCall) => {
    const limitMs = LONG_POLL.test(options.method_definition.path) ? timeoutMs + LONG_POLL_MS : timeoutMs;
    return retry({ ...options, deadline: options.deadline ?? Date.now() + limitMs }, (again) =>
      isClosed() ? canceledCall : nextCall(again),
    );
  };
}

const canceledCall: ReturnType<Parameters<Interceptor>[1]> = {
  start(_metadata, listener) {
    // As a call without an answer does.
    listener?.onReceiveMessage?.(null);
    const details = 'the connection to Temporal is closed';
    listener?.onReceiveStatus?.({ code: status.CANCELLED, details, metadata: new Metadata() });
  },
  cancelWithStatus: () => {},
  getPeer: () => '',
  sendMessage: () => {},
  sendMessageWithContext: () => {},
  startRead: () => {},
  halfClose: () => {},
  getAuthContext: () => null,
};

/** The server answers them when something has happened or after its own limit. */
const LONG_POLL = /\/(GetWorkflowExecutionHistory|PollWorkflowExecutionUpdate|UpdateWorkflowExecution)$/;

const LONG_POLL_MS = 60_000;

const pathOf = (name: string): string => join(import.meta.dirname, name + extname(import.meta.filename));

export const createDataConverter = (codec?: PayloadCodec): DataConverter =>
  codec === undefined
    ? { failureConverterPath: pathOf('failure-converter') }
    : { payloadCodecs: [codec], failureConverterPath: pathOf('codec/failure-converter') };
