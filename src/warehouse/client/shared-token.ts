import { createHash, createSecretKey, hkdfSync } from 'node:crypto';
import { createSealing } from '../../base/sealing.ts';
import type { TokenStore } from '../tables/tokens.ts';
import type { SharedToken, Token, TokenOptions } from './token.ts';

type Credential = Pick<TokenOptions, 'authUrl' | 'clientId' | 'clientSecret' | 'userLogin' | 'tpl'>;

/**
 * Sealed with a key that follows from the client secret: whoever reads the store learns no token. A store that fails is
 * done without.
 */
export function createSharedToken(shelf: TokenStore, credential: Credential): SharedToken {
  const { authUrl, clientId, clientSecret, userLogin, tpl = '' } = credential;
  const name = createHash('sha256')
    .update(JSON.stringify([authUrl, clientId, userLogin, tpl]))
    .digest('hex');
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', clientSecret, name, 'dockline token', KEY_BYTES)));
  const sealing = createSealing([{ id: 'token', key }]);
  return {
    async find() {
      const found = await shelf.find(name).catch(() => undefined);
      const text = found && sealing.open(found.sealed, name);
      if (!found || text === undefined) return undefined;
      const token: Token = JSON.parse(text);
      const forMs = token.forMs - Math.max(0, found.ageMs);
      return forMs > 0 ? { value: token.value, forMs } : undefined;
    },
    put: (token) => shelf.put(name, sealing.seal(JSON.stringify(token), name)).catch(() => undefined),
  };
}

const KEY_BYTES = 32;
