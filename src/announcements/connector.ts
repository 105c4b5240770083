import { buildConnector } from 'undici';
import { DocklineError } from '../domain/errors.ts';
import type { Guard } from './guard.ts';

/**
 * Creates a connector that connects over TCP, has the guard check the address actually reached, and only then sends TLS or HTTP.
 * A DNS hook would not see literal addresses, and a second lookup could answer differently from the first. Fails with
 * `ERR_DESTINATION_ADDRESS`.
 */
export function createGuardedConnector(
  guard: Guard,
  options: buildConnector.BuildOptions = {},
): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false });

  return (target, callback) => {
    const { hostname, protocol } = target;
    const port = target.port || (protocol === 'https:' ? '443' : '80');
    connect({ hostname, port, protocol: 'http:' }, (error, socket) => {
      if (error) return callback(error, null);
      const address = socket.remoteAddress ?? 'an address unknown';
      if (guard(address)) {
        return protocol === 'https:' ? connect({ ...target, httpSocket: socket }, callback) : callback(null, socket);
      }
      socket.destroy();
      callback(new DocklineError('ERR_DESTINATION_ADDRESS', `${hostname} is at ${address}, which is internal`), null);
    });
  };
}
