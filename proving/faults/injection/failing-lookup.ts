import dns from 'node:dns';
import { existsSync } from 'node:fs';

/**
 * Preloaded into Dockline's process: while the file named by the query of this module's URL exists, no name is resolved. Everything
 * above the lookup is unchanged.
 */
const file = new URL(import.meta.url).searchParams.get('switch') ?? '';
const { lookup } = dns;

const failing = (hostname: string, ...rest: readonly unknown[]): unknown => {
  if (!existsSync(file)) return Reflect.apply(lookup, dns, [hostname, ...rest]);
  const error = Object.assign(new Error(`getaddrinfo EAI_AGAIN ${hostname}`), { code: 'EAI_AGAIN', hostname });
  return setImmediate(rest.at(-1) as (error: Error) => void, error);
};

Object.assign(dns, { lookup: failing });
