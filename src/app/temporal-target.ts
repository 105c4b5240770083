import { isIPv6 } from 'node:net';
import type { MetricsExporterConfig } from '@temporalio/worker';
import type { Logger } from '../base/logger.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Config } from '../config/config.ts';
import { createCodec } from '../temporal/codec/codec.ts';
import { createDataConverter, type TemporalOptions } from '../temporal/connection.ts';

/** Default: the configured server, or else the embedded one. */
export function temporalTarget(
  config: Config,
  address = config.TEMPORAL_ADDRESS ?? `127.0.0.1:${config.TEMPORAL_PORT}`,
): TemporalOptions {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_CODEC_KEYS: keys } = config;
  const credentials = { read: config.readTemporalCredentials, everyMs: config.TEMPORAL_CREDENTIALS_EVERY_MS };
  return { address, namespace, credentials, dataConverter: createDataConverter(keys && createCodec(keys)) };
}

/** The SDK serves them on its own listener; undefined without one. */
export function temporalMetrics(config: Config): MetricsExporterConfig | undefined {
  const { METRICS_HOST: host, TEMPORAL_METRICS_PORT: port } = config;
  if (port === undefined) return undefined;
  return { prometheus: { bindAddress: `${isIPv6(host) ? `[${host}]` : host}:${port}` } };
}

export function warnOfPlainText(
  { TEMPORAL_ADDRESS, readTemporalCredentials }: Config,
  logger: Pick<Logger, 'warn'>,
): void {
  if (!TEMPORAL_ADDRESS || readTemporalCredentials().tls) return;
  const host = TEMPORAL_ADDRESS.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  if (isLoopback(host)) return;
  logger.warn(
    { address: TEMPORAL_ADDRESS },
    'Temporal is reached in plain text beyond this machine; set TEMPORAL_TLS=true',
  );
}
