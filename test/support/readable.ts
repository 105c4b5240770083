/** Renders a message of Temporal as text, bytes decoded, without the fields of the given names. */
export function readable(message: unknown, except: readonly string[] = []): string {
  if (message instanceof Uint8Array) return Buffer.from(message).toString();
  if (typeof message !== 'object' || message === null) return String(message);
  return Object.entries(message)
    .filter(([name]) => !except.includes(name))
    .map(([name, value]) => `${name} ${readable(value, except)}`)
    .join('\n');
}
