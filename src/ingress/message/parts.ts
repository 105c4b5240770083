import { type Reader, readerOf } from '../../domain/json.ts';
import { readObject } from './values.ts';

/** Creates a reader of an object on the wire, any part of which may be JSON text. */
export const openReader = (value: unknown): Reader => readerOf(readObject(value), readObject);

/** Creates a reader of a message, also of one that is wrapped in `{"headers", "body"}` as in the vendor's documentation. */
export function openMessage(value: unknown): Reader {
  const message = openReader(value);
  const has = (name: string) => message(name) !== undefined;
  const isWrapper = has('headers') && has('body') && !has('eventtype');
  return isWrapper ? openReader(message('body')) : message;
}

/** Parts of a message that identify what it is about; an absent one is empty. */
export interface Parts {
  /** `rel`, `href` and, if the webhook includes resources, the body. */
  readonly resource: Reader;
  readonly body: Reader;
  /** Read on demand: it is usually JSON text that repeats what the other parts say. */
  readonly data: () => Reader;
  readonly links: unknown;
}

/** Splits a message into its parts. */
export function readParts(message: Reader): Parts {
  const resource = openReader(message('resource'));
  return {
    resource,
    body: openReader(resource('body')),
    data: () => openReader(message('data')),
    links: message('links'),
  };
}
