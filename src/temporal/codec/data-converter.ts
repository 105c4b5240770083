import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';

/** What clients and workers convert data with so that every payload and every failure's message passes through the codec. */
export function createDataConverter(codec: PayloadCodec): DataConverter {
  return { payloadCodecs: [codec], failureConverterPath };
}

const failureConverterPath = fileURLToPath(new URL('./failure-converter.ts', import.meta.url));
