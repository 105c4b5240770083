import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** Silences Temporal's SDK: tests report what fails. */
export function quietRuntime(): void {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
  });
}
