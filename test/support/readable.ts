/**
 * Everything in a message of Temporal as one text, bytes as the text that they may be. Fields of the given names are left out.
 */
export function readable(message: unknown, except: readonly string[] = []): string {
  if (message instanceof Uint8Array) return Buffer.from(message).toString();
  if (typeof message !== 'object' || message === null) return String(message);
  return Object.entries(message)
    .filter(([name]) => !except.includes(name))
    .map(([name, value]) => `${name} ${readable(value, except)}`)
    .join('\n');
}
