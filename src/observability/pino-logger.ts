import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import type { Config } from '../config/config.ts';

/** The logger of a process: JSON lines on standard error. */
export function openLogger({ LOG_LEVEL: level }: Config) {
  return pino({ level, base: null }, pino.destination(2));
}

/**
 * Has the SDK's workers write to the same logger. Once for each process, and only where there are workers: without them nothing
 * ends the SDK's runtime, which then keeps the process from ending.
 */
export function logWorkers(logger: ReturnType<typeof openLogger>): void {
  const sdk = new DefaultLogger('WARN', ({ level: severity, message, meta }) => {
    if (message.startsWith('No workflows registered')) return; // The warehouse's worker has none, as it should.
    logger[severity === 'ERROR' ? 'error' : 'warn'](
      { err: meta?.error, workflow: meta?.workflowId, activity: meta?.activityType },
      message,
    );
  });
  Runtime.install({
    logger: sdk,
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
  });
}
