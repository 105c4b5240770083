import {
  Client,
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  NamespaceNotFoundError,
} from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { isTooLarge, refusalCodes } from './grpc-status.ts';

/** Where Temporal is and how long it may take. */
export interface TemporalOptions {
  /** `host:port` of its gRPC service. */
  readonly address: string;
  readonly namespace: string;
  /** How payloads are written and read; in clear where absent. */
  readonly dataConverter?: DataConverter;
  /** How long one call may take, its retries included, in milliseconds. Default 10,000. */
  readonly callTimeoutMs?: number;
}

/** One connection to Temporal and its client. */
export interface Temporal {
  readonly connection: Connection;
  readonly client: Client;
  close(): Promise<void>;
}

/**
 * Opens a connection that is made at the first call and remade whenever Temporal comes back; opening it never fails. Every
 * call has a deadline.
 */
export function openTemporal({ address, namespace, dataConverter, callTimeoutMs = 10_000 }: TemporalOptions): Temporal {
  const connection = Connection.lazy({
    address,
    interceptors: [retryUntil(callTimeoutMs)],
    // Left to itself, the channel waits up to two minutes before it tries a server again that has been away for long.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 2_000 },
  });
  const client = new Client({ connection, namespace, ...(dataConverter && { dataConverter }) });
  return { connection, client, close: () => connection.close() };
}

/**
 * Whether an error of the client says nothing about the request itself: Temporal is unreachable, overloaded, not ready or
 * shut to us, so the same request may succeed later. False for a verdict on the request, as for a payload that is too
 * large or a search attribute that is not registered.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof NamespaceNotFoundError) return true;
  if (isGrpcServiceError(error)) return !refusalCodes.has(error.code) && !isTooLarge(error);
  return error instanceof Error && error.cause !== undefined && isOutage(error.cause);
}

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

/** The SDK's retries under a deadline, but for messages that no retry makes smaller. */
function retryUntil(timeoutMs: number): Interceptor {
  const defaults = defaultGrpcRetryOptions();
  const retry = makeGrpcRetryInterceptor({
    ...defaults,
    retryableDecider: (attempt, status) => !isTooLarge(status) && defaults.retryableDecider(attempt, status),
  });
  return (options, nextCall) => {
    const limitMs = LONG_POLL.test(options.method_definition.path) ? timeoutMs + LONG_POLL_MS : timeoutMs;
    return retry({ ...options, deadline: options.deadline ?? Date.now() + limitMs }, nextCall);
  };
}

/** Calls that the server answers only when something has happened, or after its own limit. */
const LONG_POLL = /\/(GetWorkflowExecutionHistory|PollWorkflowExecutionUpdate|UpdateWorkflowExecution)$/;

const LONG_POLL_MS = 60_000;
