import { type Fields, readFields } from './fields.ts';

/** The message itself, which the vendor's documentation shows within `{"headers", "body"}`. */
export function unwrap(value: unknown): Fields {
  const message = readFields(value);
  const has = (name: string) => message.get(name) !== undefined;
  const isWrapper = has('headers') && has('body') && !has('eventtype');
  return isWrapper ? readFields(message.get('body')) : message;
}

/** The parts of a message that tell what it is about; what is not there is empty. */
export interface Parts {
  /** `rel`, `href` and, where the webhook includes resources, the body. */
  readonly resource: Fields;
  readonly body: Fields;
  /** Mostly JSON text, and mostly of nothing that the others have not: read where it is asked for. */
  readonly data: () => Fields;
  readonly links: unknown;
}

/** Takes a message apart; `resource.body`, `data` and `links` may be objects or the JSON text of one. */
export function readParts(message: Fields): Parts {
  const resource = readFields(message.get('resource'));
  return {
    resource,
    body: readFields(resource.get('body')),
    data: () => readFields(message.get('data')),
    links: message.get('links'),
  };
}
