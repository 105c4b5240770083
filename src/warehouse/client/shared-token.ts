import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { isObject } from '../../base/json.ts';
import type { TokenStore } from '../tables/tokens.ts';
import type { SharedToken, Token, TokenOptions } from './token.ts';

type Credential = Pick<TokenOptions, 'authUrl' | 'clientId' | 'clientSecret' | 'userLogin' | 'tpl'>;

/**
 * Shares the token of a credential through a store, sealed with a key that follows from the client secret: whoever reads the store without it
 * learns no token. A store that fails is done without.
 */
export function createSharedToken(shelf: TokenStore, credential: Credential): SharedToken {
  const { authUrl, clientId, clientSecret, userLogin, tpl = '' } = credential;
  const name = createHash('sha256')
    .update(JSON.stringify([authUrl, clientId, userLogin, tpl]))
    .digest('hex');
  const key = Buffer.from(hkdfSync('sha256', clientSecret, name, 'dockline token', KEY_BYTES));
  return {
    async find() {
      const found = await shelf.find(name).catch(() => undefined);
      const token = found && open(key, Buffer.from(found.sealed));
      const forMs = token ? token.forMs - Math.max(0, found.ageMs) : 0;
      return token && forMs > 0 ? { value: token.value, forMs } : undefined;
    },
    put: (token) => shelf.put(name, seal(key, token)).catch(() => undefined),
  };
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

function seal(key: Buffer, token: Token): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(token)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** Returns undefined for what was sealed with another secret. */
function open(key: Buffer, sealed: Buffer): Token | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES));
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    const token: unknown = JSON.parse(text.toString());
    return isObject(token) ? (token as unknown as Token) : undefined;
  } catch {
    return undefined;
  }
}
