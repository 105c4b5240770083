import { parseExactly } from '../../domain/json.ts';
import { decodeUtf8, parseGuarded } from './json.ts';
import { UnreadableJson } from './json-shape.ts';
import { openMessage, openReader } from './parts.ts';

/** Returns the resource in a delivery as JSON text, with every digit of its numbers; undefined if there is no readable one. */
export function readPayload(raw: Uint8Array): string | undefined {
  try {
    const message = openMessage(parseGuarded(decodeUtf8(raw), parseExactly));
    const body = openReader(message('resource'))('body');
    const payload = typeof body === 'string' ? parseGuarded(body, parseExactly) : body;
    return JSON.stringify(payload);
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}
