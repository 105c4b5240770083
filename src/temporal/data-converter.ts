import { extname, join } from 'node:path';
import type { DataConverter, PayloadCodec } from '@temporalio/common';

const pathOf = (name: string): string => join(import.meta.dirname, name + extname(import.meta.filename));

export const createDataConverter = (codec?: PayloadCodec): DataConverter =>
  codec === undefined
    ? { failureConverterPath: pathOf('failure-converter') }
    : { payloadCodecs: [codec], failureConverterPath: pathOf('codec/failure-converter') };
