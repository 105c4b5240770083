import { decodeUtf8, parseExactJson } from './json.ts';
import { UnreadableJson } from './json-shape.ts';
import { openMessage, openReader } from './parts.ts';

/** Reads the resource in a delivery, with every digit of its numbers. @throws UnreadableJson */
export function readResource(raw: Uint8Array): unknown {
  const message = openMessage(parseExactJson(decodeUtf8(raw)));
  const body = openReader(message('resource'))('body');
  return typeof body === 'string' ? parseExactJson(body) : body;
}

/** Returns the resource in a delivery as JSON text, with every digit of its numbers; undefined if there is no readable one. */
export function readPayload(raw: Uint8Array): string | undefined {
  try {
    return JSON.stringify(readResource(raw));
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}
