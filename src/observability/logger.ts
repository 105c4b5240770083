import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, type MetricsExporterConfig, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import type { Config } from '../config/config.ts';
import type { FailureCode } from '../domain/errors.ts';

/** Writes to standard error: JSON lines, or in a terminal lines that people read. */
export function openLogger({ LOG_LEVEL: level }: Pick<Config, 'LOG_LEVEL'>, screen = process.stderr) {
  const readable = { write: (line: string) => void screen.write(readableLine(line)) };
  return pino({ level, base: null }, screen.isTTY ? readable : pino.destination(2));
}

/** Level, message and fields in a line, without stacks. A terminal would execute control characters. */
function readableLine(record: string): string {
  const { level, msg, err, reason, time: _, ...others } = JSON.parse(record);
  const more = Object.entries(others).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  const said = [msg, err?.message ?? reason].filter(Boolean).join(': ');
  const beside = more.length > 0 ? ` (${more.map(([name, value]) => `${name} ${value}`).join(', ')})` : '';
  return `${pino.levels.labels[level]}: ${said}${beside}`.replaceAll(/[\s\p{Cc}]+/gu, ' ').concat('\n');
}

/** Once per process. Returns the end of the SDK's runtime, which would keep a process alive. */
export function logWorkers(
  logger: ReturnType<typeof openLogger>,
  metrics?: MetricsExporterConfig,
): { close(): Promise<void> } {
  const sdk = new DefaultLogger(
    'WARN',
    ({ level: severity, message, meta: { error, workflowId, activityType } = {} }) => {
      if (message.startsWith('No workflows registered')) return; // Expected of workers that run activities only.
      if (error instanceof ApplicationFailure && error.type === ('ERR_WAREHOUSE_NOT_YET' satisfies FailureCode)) return; // Expected while reads lag.
      // A failure of our own says what happened; where it was thrown is always the same place.
      const cause =
        error instanceof ApplicationFailure ? { code: error.type, reason: error.message } : error && { err: error };
      logger[severity === 'ERROR' ? 'error' : 'warn'](
        { ...cause, workflow: workflowId, activity: activityType },
        message,
      );
    },
  );
  Runtime.install({
    logger: sdk,
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} },
      ...(metrics && { metrics }),
    },
  });
  return { close: () => Runtime.instance().shutdown() };
}
