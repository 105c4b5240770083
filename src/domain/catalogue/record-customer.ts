import { exactNumberIn, isObject, type Reader, readerOf } from '../../base/json.ts';
import { parseExactly } from '../../base/untrusted-json.ts';
import { readId } from '../wire-values.ts';

const PLACES = [
  ['readonly', 'customeridentifier', 'id'],
  ['customeridentifier', 'id'],
  ['readonly', 'customerid'],
  ['customerid'],
  ['customer', 'id'],
] as const;

/** A template names nobody. */
const PATH = /(?:^|\/)customers\/([^/?#{]+)/i;

export const customerInPath = (path: string): string | undefined => readId(PATH.exec(path)?.[1]);

const LINK_DEPTH = 4;

/** Customers that a record names, in any member, form or link: several if it contradicts itself. Nothing else reads whose a record is. */
export const customersIn = (read: Reader): readonly string[] => [
  ...new Set([
    ...PLACES.flatMap((path) => readId(read(...path)) ?? []),
    ...[read('_links'), read('links')].filter((it) => typeof it === 'object').flatMap((it) => linkedIn(it, LINK_DEPTH)),
  ]),
];

function linkedIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [customerInPath(value) ?? []].flat();
  if (depth === 0 || !(isObject(value) || Array.isArray(value))) return [];
  // The name of a relation looks like a path: `customers/customer`.
  return Object.entries(value).flatMap(([name, it]) => (/^rel$/i.test(name) ? [] : linkedIn(it, depth - 1)));
}

export function customersNamedBy(record: string): readonly string[] {
  try {
    return customersIn(readerOf(JSON.parse(record)));
  } catch {
    return [];
  }
}

interface Owner {
  /** While unknown, whatever names a customer is of another. */
  readonly customerId: string | undefined;
  /** Whose rows are theirs; undefined for a record that is not about orders. */
  readonly orderId?: string | undefined;
}

/** A guess: the form of a pick list was never published. */
const ORDER_PLACES = [['orderid'], ['readonly', 'orderid'], ['orderidentifier', 'id'], ['order', 'id']] as const;

const CUSTOMERS = /^customers?(?:ids?|identifiers?)?$/i;

/** Leaves out what names another customer, at any depth: pick jobs and users are shared by several. Undefined if the whole is about another. */
export function ownPartOf(owner: Owner, record: string): string | undefined {
  const whole = parseExactly(record);
  const part = JSON.stringify(without(owner, whole));
  return part === JSON.stringify(whole) ? record : part;
}

function without(owner: Owner, value: unknown, name = ''): unknown {
  if (typeof value === 'string') return withoutIn(owner, value);
  if (Array.isArray(value)) {
    const rows = CUSTOMERS.test(name) ? value.filter((it) => !isAnother(idOf(it), owner.customerId)) : value;
    return rows.map((row) => without(owner, row)).filter((row) => row !== undefined);
  }
  if (!isObject(value) || exactNumberIn(value) !== undefined) return value;
  if (isOfAnother(owner, readerOf(value))) return undefined;
  const members = Object.entries(value).map(([key, member]) => [key, without(owner, member, key)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function withoutIn(owner: Owner, text: string): string | undefined {
  if (!/^[[{]/.test(text.trimStart())) return text;
  try {
    return ownPartOf(owner, text);
  } catch {
    return text;
  }
}

const idOf = (customer: unknown): string | undefined =>
  readId(isObject(customer) && exactNumberIn(customer) === undefined ? readerOf(customer)('id') : customer);

const isAnother = (named: string | undefined, own: string | undefined): boolean => named !== undefined && named !== own;

const isOfAnother = ({ customerId, orderId }: Owner, read: Reader): boolean =>
  customersIn(read).some((named) => named !== customerId) ||
  (orderId !== undefined && ORDER_PLACES.some((path) => isAnother(readId(read(...path)), orderId)));
