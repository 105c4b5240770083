import { exactNumberIn, isObject, type Reader, readerOf } from '../../base/json.ts';
import { parseExactly } from '../../base/untrusted-json.ts';
import { readId } from '../wire-values.ts';
import { customersIn } from './record-customer.ts';

interface Owner {
  /** While unknown, whatever names a customer is of another. */
  readonly customerId: string | undefined;
  /** Whose rows are theirs; undefined for a record that is not about orders. */
  readonly orderId?: string | undefined;
}

/** A guess: the form of a pick list was never published. */
const PLACES = [['orderid'], ['readonly', 'orderid'], ['orderidentifier', 'id'], ['order', 'id']] as const;

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
  (orderId !== undefined && PLACES.some((path) => isAnother(readId(read(...path)), orderId)));
