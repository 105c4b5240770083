import { defaultPayloadConverter } from '@temporalio/common';
import { expect, it } from 'vitest';
import { temporalTarget } from '../../src/app/service-options.ts';
import { loadConfig } from '../../src/config/config.ts';

it('failures go to Temporal well formed, with a codec and without', async () => {
  const codec = { TEMPORAL_CODEC_KEYS: `first:${Buffer.alloc(32).toString('base64')}` };
  for (const env of [{}, codec]) {
    const { failureConverterPath = '' } = temporalTarget(loadConfig(env)).dataConverter ?? {};
    const { failureConverter } = await import(failureConverterPath);
    const failure = failureConverter.errorToFailure(new Error('half \ud83d'), defaultPayloadConverter);
    expect(JSON.stringify(Object.values(failure).filter((it) => typeof it === 'string'))).not.toMatch(/\\ud83d/);
  }
});
