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

  it('are sent to the collector', async () => {
    const receiver = await startOtlpReceiver();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.endpoint}/` };
    const tracing = await startTracing(loadConfig(env), logger);
    await tracing?.span('one', {}, async () => undefined);
    await tracing?.close();
    expect(receiver.spans()).toMatchObject([{ name: 'one', service: 'dockline' }]);
    expect(receiver.paths()).toEqual(new Set(['/v1/traces']));
  });

  it('are off without a collector', async () => {
    expect(await startTracing(loadConfig({}), logger)).toBeUndefined();
  });
});
