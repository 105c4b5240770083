import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import type { Config } from '../config.ts';

/** One logger for all: JSON lines on standard error, the SDK's among them. Once for each process. */
export function openLogger({ LOG_LEVEL: level }: Config) {
  const logger = pino({ level, base: null }, pino.destination(2));
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
  return logger;
}
