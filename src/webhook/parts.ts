import { type Fields, readFields } from './fields.ts';

/** The message itself, which the vendor's documentation shows within `{"headers", "body"}`. */
export function unwrap(value: unknown): Fields {
  const message = readFields(value);
  const isWrapper = message.has('headers') && message.has('body') && !message.has('eventtype');
  return isWrapper ? readFields(message.get('body')) : message;
}

/** The parts of a message that tell what it is about; what is not there is empty. */
export interface Parts {
  /** `rel`, `href` and, where the webhook includes resources, the body. */
  readonly resource: Fields;
  readonly body: Fields;
  readonly data: Fields;
  readonly links: unknown;
}

/** Takes a message apart; `resource.body`, `data` and `links` may be objects or the JSON text of one. */
export function readParts(message: Fields): Parts {
  const resource = readFields(message.get('resource'));
  return {
    resource,
    body: readFields(resource.get('body')),
    data: readFields(message.get('data')),
    links: message.get('links'),
  };
}
