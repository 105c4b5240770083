import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startTracing } from '../../src/app/service.ts';
import { loadConfig } from '../../src/config/config.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { createFolder } from '../support/temporal-server.ts';

/** Returns the modules of OpenTelemetry that a process of Dockline loads. */
async function loadedWith(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await createFolder();
  const { stdout } = await promisify(execFile)(process.execPath, ['test/app/loaded-modules.ts'], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DATA_FOLDER: folder.path, ...env },
  }).finally(() => folder.remove());
  return JSON.parse(stdout);
}

describe('a process', () => {
  it('loads nothing of OpenTelemetry without a collector', async () => {
    expect(await loadedWith({ METRICS_PORT: '0' })).toEqual([]);
    expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).toContainEqual(
      expect.stringContaining('@opentelemetry/sdk-trace/'),
    );
  });
});

describe('traces', () => {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

  it.each([
    ['the address of the collector', (endpoint: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` })],
    [
      'that of its traces, which precedes it',
      (endpoint: string) => ({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces`,
      }),
    ],
  ])('are sent to %s', async (_, envOf) => {
    const receiver = await startOtlpReceiver();
    const tracing = await startTracing(loadConfig(envOf(receiver.endpoint)), logger);
    await tracing?.span('one', {}, async () => undefined);
    await tracing?.close();
    expect(receiver.spans()).toMatchObject([{ name: 'one', service: 'dockline' }]);
    expect(receiver.paths()).toEqual(new Set(['/v1/traces']));
  });

  it('are off without a collector, and where OpenTelemetry is disabled', async () => {
    const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' };
    for (const env of [{}, disabled]) expect(await startTracing(loadConfig(env), logger)).toBeUndefined();
  });
});
