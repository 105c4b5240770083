interface Recorded {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Bytes; a larger body is read from the downloaded file. */
const INLINE = 20_000;

const OWN: readonly string[] = ['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding'];

/** Without secrets, which were masked. */
export function toCurl({ url, headers, body }: Recorded, file: string): string {
  const given = Object.entries(headers).filter(([name, value]) => !OWN.includes(name.toLowerCase()) && value !== '***');
  const data = body.length > INLINE ? `@${file}` : body;
  return [
    `curl -X POST ${quote(url)}`,
    ...given.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-binary ${quote(data)}`,
  ].join(' \\\n  ');
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
