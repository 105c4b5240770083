import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';

/** Creates the data converter that passes every payload and every failure message through the codec. */
export function createDataConverter(codec: PayloadCodec): DataConverter {
  return { payloadCodecs: [codec], failureConverterPath };
}

const failureConverterPath = fileURLToPath(new URL('./failure-converter.ts', import.meta.url));
