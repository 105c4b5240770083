import type { Parts } from './parts.ts';
import { readText } from './values.ts';

/** Places of an id in a message: a field of the resource, of its `readOnly` or of `data`, and the path of `resource.href`. */
interface Trace {
  readonly field: string;
  readonly path: RegExp;
}

/** The order's are as observed; the others are assumed to follow them. */
export const traces = {
  order: { field: 'orderid', path: /(?:^|\/)orders?\/([^/?#]+)(?:[?#]|$)/i },
  receipt: { field: 'receiverid', path: /(?:^|\/)(?:receivers?|receipts?)\/([^/?#]+)(?:[?#]|$)/i },
  adjustment: { field: 'adjustmentid', path: /(?:^|\/)adjustments?\/([^/?#]+)(?:[?#]|$)/i },
  assembly: { field: 'assemblyid', path: /(?:^|\/)assembl(?:y|ies)\/([^/?#]+)(?:[?#]|$)/i },
  orderOfItem: { field: 'orderid', path: /(?:^|\/)orders?\/([^/?#]+)\/items\//i },
  orderItem: { field: 'orderitemid', path: /(?:^|\/)orders?\/[^/?#]+\/items\/([^/?#]+)(?:[?#]|$)/i },
  item: { field: 'itemid', path: /(?:^|\/)items\/([^/?#]+)(?:[?#]|$)/i },
  customer: { field: 'customerid', path: /(?:^|\/)customers\/([^/?#]+)(?:[/?#]|$)/i },
  hold: { field: 'receiveitemid', path: /(?:^|\/)receive(?:r?items?|rs?\/[^/?#]+\/items)\/([^/?#]+)(?:[?#]|$)/i },
} as const satisfies Record<string, Trace>;

/** Finds an id in the resource, in the path of `resource.href`, or in `data`. */
export function findId({ field, path }: Trace, { body, resource, data }: Parts): string | undefined {
  const href = readText(resource('href')) ?? '';
  return readText(body('readonly', field)) ?? readText(body(field)) ?? path.exec(href)?.[1] ?? readText(data(field));
}

/** Reports whether the resource or `data` has the id's field. */
export function hasField({ field }: Pick<Trace, 'field'>, { body, data }: Parts): boolean {
  return [body('readonly', field), body(field), data(field)].some((id) => readText(id) !== undefined);
}

/** Names of an id that does not say what it is of. They are a guess. */
const ANONYMOUS = ['id', 'transactionid'];

/** Finds an id that does not say what it is of; only another part of the message or an alias can say that. */
export function findAnonymousId({ body, data }: Parts): string | undefined {
  const places = ANONYMOUS.flatMap((name) => [body('readonly', name), body(name), data(name)]);
  return places.map(readText).find((id) => id !== undefined);
}
