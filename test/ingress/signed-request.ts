import { headerReader, type SignedRequest } from '../../src/ingress/verification/verifier.ts';

/** Creates a request as a verifier sees it; a header with several values was sent several times. */
export function signedRequest({
  headers = {},
  query = '',
  body = '{}',
}: {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly query?: string;
  readonly body?: string | Uint8Array;
}): SignedRequest {
  const raw = Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
  return { header: headerReader(raw), url: `/webhooks/warehouse?${query}`, body: Buffer.from(body) };
}
