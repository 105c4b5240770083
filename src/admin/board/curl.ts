/** Request as it was recorded. */
interface Recorded {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Bytes of a body that a command has in itself; a larger one is read from the downloaded file. */
const INLINE = 20_000;

/** Headers that curl sets by itself. */
const OWN: readonly string[] = ['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding'];

/** Writes a request as a command. What is secret was masked as it was recorded, and is left out. */
export function toCurl({ url, headers, body }: Recorded, file: string): string {
  const given = Object.entries(headers).filter(([name, value]) => !OWN.includes(name.toLowerCase()) && value !== '***');
  const data = body.length > INLINE ? `@${file}` : body;
  return [
    `curl -X POST ${quote(url)}`,
    ...given.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-binary ${quote(data)}`,
  ].join(' \\\n  ');
}

/** Quotes a text for a shell, in which nothing of it has a meaning then. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
