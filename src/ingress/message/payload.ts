import { parseExactly } from '../../domain/exact-json.ts';
import { readFields } from './fields.ts';
import { decodeUtf8, parseGuarded } from './json.ts';
import { unwrap } from './parts.ts';
import { UnreadableJson } from './unreadable-json.ts';

/** The resource in a delivery's bytes as JSON text, its numbers digit by digit; undefined where there is none that can be read. */
export function readPayload(raw: Uint8Array): string | undefined {
  try {
    const message = unwrap(parseGuarded(decodeUtf8(raw), parseExactly));
    const body = readFields(message.get('resource')).get('body');
    const payload = typeof body === 'string' ? parseGuarded(body, parseExactly) : body;
    return JSON.stringify(payload);
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}
