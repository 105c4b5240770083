import { serve } from '../http/listen.ts';
import { createCodecApp } from '../temporal/codec/app.ts';
import { createCodec } from '../temporal/codec/codec.ts';
import type { ServiceOptions } from './service-options.ts';

/** For the Temporal UI and CLI; undefined unless configured. */
export async function startCodecEndpoint({ config, dependencies, logger }: ServiceOptions) {
  const { TEMPORAL_CODEC_KEYS: keys, CODEC_HOST: host, CODEC_PORT: port, CODEC_TOKEN: token } = config;
  if (!keys || port === undefined) return undefined;
  const origins = config.CODEC_ORIGINS ?? originsOf(dependencies.temporal.uiUrl);
  const app = createCodecApp({ codec: createCodec(keys), token, origins, logger });
  const url = await serve('CODEC_PORT', { app, host, port });
  return { url, close: () => app.close() };
}

/** People open the embedded UI under either origin. */
function originsOf(uiUrl: string | undefined): string[] {
  if (!uiUrl) return [];
  const { origin, port } = new URL(uiUrl);
  return [origin, `http://localhost:${port}`];
}
