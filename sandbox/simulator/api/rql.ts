import type { ComparisonNode, ExpressionNode } from '@rsql/ast';
import { parse } from '@rsql/parser';
import type { Resource } from '../resources/resource.ts';
import { vendorError } from './vendor-error.ts';

/** Reports whether a row matches. */
type Filter = (row: Resource) => boolean;

/**
 * Parses a filter such as `readOnly.isClosed==false;readOnly.lastModifiedDate=ge=2026-02-11T00:00:00`. Throws a VendorError
 * if it is malformed. Names and text are compared without regard to case; `*` in the text of an equation stands for any text, and nothing
 * after an operator for an empty value. Two guesses: a row without the field matches `!=`, `=out=` and what is empty only, and `=hv=` takes
 * `true` or `false`.
 */
export function parseRql(rql: string): Filter {
  return rql.trim() === '' ? () => true : toFilter(readExpression(rql));
}

/** Returns the properties that a filter names. Throws a VendorError if it is malformed. */
export function propertiesIn(rql: string): string[] {
  return rql.trim() === '' ? [] : selectorsOf(readExpression(rql));
}

function selectorsOf(node: ExpressionNode): string[] {
  if (node.type === 'COMPARISON') return [node.left.selector];
  return [...selectorsOf(node.left), ...selectorsOf(node.right)];
}

function readExpression(rql: string): ExpressionNode {
  try {
    return parse(rql.replace(EMPTY, '$1""'));
  } catch {
    throw malformed();
  }
}

/** Comparison without a value: `poNum==;status==0`. */
const EMPTY = /((?:==|!=)\s*)(?=[;,)]|$)/g;

const malformed = () => vendorError(400, 'NotParsable', 'rql');

function toFilter(node: ExpressionNode): Filter {
  if (node.type === 'COMPARISON') return toComparison(node);
  const left = toFilter(node.left);
  const right = toFilter(node.right);
  const isAnd = node.operator === ';' || node.operator === 'and';
  return isAnd ? (row) => left(row) && right(row) : (row) => left(row) || right(row);
}

/** Operators as tests of a field and a value. */
const comparisons: Readonly<Record<string, (field: unknown, value: string) => boolean>> = {
  '==': isEqual,
  '=in=': isEqual,
  '!=': (field, value) => !isEqual(field, value),
  '=out=': (field, value) => !isEqual(field, value),
  '=gt=': (field, value) => compareWithText(field, value) > 0,
  '=ge=': (field, value) => compareWithText(field, value) >= 0,
  '=lt=': (field, value) => compareWithText(field, value) < 0,
  '=le=': (field, value) => compareWithText(field, value) <= 0,
  '=hv=': (field, value) => isEmpty(field) === /^false$/i.test(value),
};

/** Operators that take a list. */
const ofLists: ReadonlySet<string> = new Set(['=in=', '=out=']);

function toComparison({ left, operator, right }: ComparisonNode): Filter {
  const holds = comparisons[operator];
  const isList = Array.isArray(right.value);
  if (!holds || isList !== ofLists.has(operator)) throw malformed();
  const values = [right.value].flat();
  if (operator === '=hv=' && !values.every((value) => /^(true|false)$/i.test(value))) throw malformed();
  const isMet = operator === '=out=' ? values.every.bind(values) : values.some.bind(values);
  return (row) => {
    const field = fieldOf(row, left.selector);
    return isMet((value: string) => holds(field, value));
  };
}

const isEmpty = (field: unknown): boolean => field === undefined || field === null || field === '';

function isEqual(field: unknown, value: string): boolean {
  if (value === '') return isEmpty(field);
  if (typeof field !== 'string' || !value.includes('*')) return compareWithText(field, value) === 0;
  const pattern = value.split('*').map(RegExp.escape).join('.*');
  return new RegExp(`^${pattern}$`, 'is').test(field);
}

/** Returns a negative number, zero or a positive number; NaN for a missing field and for text that does not fit its type. */
function compareWithText(field: unknown, text: string): number {
  if (typeof field === 'number') return field - Number(text || Number.NaN);
  if (typeof field === 'boolean')
    return Number(field) - Number({ false: 0, true: 1 }[text.toLowerCase()] ?? Number.NaN);
  return typeof field === 'string' ? compareText(field.toLowerCase(), text.toLowerCase()) : Number.NaN;
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Parses a sort such as `readOnly.lastModifiedDate,-readOnly.orderId`, where `-` sorts in descending order. The form is a guess. */
export function parseSort(sort: string) {
  return sort
    .split(',')
    .map((key) => ({ property: key.trim().replace(/^[+-]/, ''), sign: /^\s*-/.test(key) ? -1 : 1 }))
    .filter(({ property }) => property !== '');
}

/** Sorts rows; rows that are equal by all keys keep their order. */
export function sortRows(rows: readonly Resource[], keys: ReturnType<typeof parseSort>): readonly Resource[] {
  const compareBy = (a: Resource, b: Resource, property: string) =>
    compareFields(fieldOf(a, property), fieldOf(b, property));
  const compareRows = (a: Resource, b: Resource) =>
    keys.map(({ property, sign }) => sign * compareBy(a, b, property)).find((order) => order !== 0);
  return rows.toSorted((a, b) => compareRows(a, b) ?? 0);
}

function compareFields(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareText(String(a ?? ''), String(b ?? ''));
}

/** Returns the field at a dotted path such as `ReadOnly.lastModifiedDate`, in any case. */
function fieldOf(resource: Resource, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  }, resource);
}
