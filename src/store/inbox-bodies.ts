import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const gunzipBeside = promisify(gunzip);

/** What a body is read from. */
export const bodyColumns = ['body', 'uncompressed_bytes'] as const;

/** A row with the bytes of its body as they came. */
export async function withBytes<Row extends { readonly body: Uint8Array; readonly uncompressed_bytes: number | null }>({
  uncompressed_bytes: isGzipped,
  ...row
}: Row): Promise<Omit<Row, 'uncompressed_bytes'>> {
  return isGzipped === null ? row : { ...row, body: await gunzipBeside(row.body) };
}
