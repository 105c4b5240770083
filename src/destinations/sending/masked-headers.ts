/** Value that stands for a secret one. */
const MASK = '***';

/** Headers that are secret wherever they come from. */
const SECRET: readonly string[] = ['authorization', 'webhook-signature'];

/** Header of a destination's own that is no secret. */
const PLAIN = 'content-type';

/** Creates a function that masks what is secret in the headers of a request: those of Dockline that prove something, and the destination's own. */
export function createMask(own: Readonly<Record<string, string>> = {}) {
  const secret = new Set([...SECRET, ...Object.keys(own).filter((name) => name !== PLAIN)]);
  return (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secret.has(name) ? MASK : value]));
}
