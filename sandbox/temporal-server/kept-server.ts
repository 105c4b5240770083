import { setTimeout as pause } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import pRetry from 'p-retry';
import { openTemporal } from '../../src/temporal/connection.ts';
import { type EmbeddedServer, type EmbeddedServerOptions, startEmbeddedServer } from './embedded-server.ts';

/** Interval of the questions whether the server is interrupted, in milliseconds. */
const ASK_EVERY_MS = 5_000;

/** Answers in a row that show it to be interrupted for good; a canceled call interrupts it for a moment. */
const INTERRUPTIONS = 6;

/** Longest backoff between two attempts to start it again, in milliseconds. */
const MAX_BACKOFF_MS = 10_000;

/**
 * Starts a server as `startEmbeddedServer` does, and again on the same ports when it has ended by itself or is interrupted for good.
 * Rejects only if the first start fails.
 */
export async function keepEmbeddedServer(options: EmbeddedServerOptions): Promise<Omit<EmbeddedServer, 'ended'>> {
  let server = await startEmbeddedServer(options);
  const { address, uiUrl } = server;
  const again = { ...options, port: portOf(`http://${address}`), uiPort: portOf(uiUrl) };
  const { namespace, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function keep() {
    for (;;) {
      const over = new AbortController();
      const asked = AbortSignal.any([signal, over.signal]);
      const reason = await Promise.race([
        server.ended.then(() => 'ended'),
        untilInterrupted({ address, namespace, signal: asked }).then(() => 'answers nothing but "interrupted"'),
      ]);
      over.abort();
      if (signal.aborted) return;
      log(`The Temporal server ${reason} and is started again; no event is lost.`);
      await server.stop();
      const startAgain = async () => {
        server = await startEmbeddedServer(again);
      };
      await pRetry(startAgain, {
        retries: Number.POSITIVE_INFINITY,
        maxTimeout: MAX_BACKOFF_MS,
        signal,
        onFailedAttempt: ({ error }) => log(error.message),
      });
    }
  }

  const kept = keep().catch(() => undefined);
  return {
    address,
    uiUrl,
    /** Of the server that runs now. */
    get pid() {
      return server.pid;
    },
    async stop() {
      stopping.abort();
      await server.stop();
      await kept;
      // Another, if an attempt in progress has succeeded.
      await server.stop();
    },
  };
}

const portOf = (url: string): number => Number(new URL(url).port);

/** Server that is asked, until the signal, whether it is interrupted. */
interface Asked {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Interval in milliseconds. Default: 5,000. */
  readonly everyMs?: number;
}

/**
 * Resolves when the server has answered several times in a row that its database is interrupted, or at the signal. In released versions
 * SQLite's driver stays so for ever once a call was canceled at the wrong moment.
 */
export async function untilInterrupted({ address, namespace, signal, everyMs = ASK_EVERY_MS }: Asked): Promise<void> {
  const { connection, close } = openTemporal({ address, namespace, retries: false });
  const ask = () =>
    connection.workflowService.describeNamespace({ namespace }).then(
      () => false,
      (error: unknown) => isGrpcServiceError(error) && error.details.includes('interrupted (9)'),
    );
  try {
    for (let interruptions = 0; interruptions < INTERRUPTIONS; ) {
      await pause(everyMs, undefined, { signal });
      interruptions = (await ask()) ? interruptions + 1 : 0;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await close();
  }
}
