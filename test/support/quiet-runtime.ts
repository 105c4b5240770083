import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** Silences Temporal's SDK: tests report what fails. A process that ran another file before has its runtime already. */
export function quietRuntime(): void {
  if (Runtime._instance) return;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
  });
}
