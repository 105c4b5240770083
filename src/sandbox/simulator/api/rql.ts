import type { ComparisonNode, ExpressionNode } from '@rsql/ast';
import { parse } from '@rsql/parser';
import type { Resource } from '../resources/resource.ts';
import { fieldOf } from './field.ts';
import { vendorError } from './vendor-error.ts';

/** Whether a row is asked for. */
export type Filter = (row: Resource) => boolean;

/**
 * Reads a filter such as `readOnly.isClosed==false;readOnly.lastModifiedDate=ge=2026-02-11T00:00:00`; throws a VendorError
 * for one that is not readable. A row without the field is asked for by `!=` only, which is a guess, as is that text is
 * compared letter by letter.
 */
export function parseRql(rql: string): Filter {
  const expression = readExpression(rql);
  return expression ? toFilter(expression) : () => true;
}

function readExpression(rql: string): ExpressionNode | undefined {
  if (rql.trim() === '') return undefined;
  try {
    return parse(rql);
  } catch {
    throw unreadable();
  }
}

const unreadable = () => vendorError(400, 'NotParsable', 'rql');

function toFilter(node: ExpressionNode): Filter {
  if (node.type === 'COMPARISON') return toComparison(node);
  const [left, right] = [toFilter(node.left), toFilter(node.right)];
  const isAnd = node.operator === ';' || node.operator === 'and';
  return isAnd ? (row) => left(row) && right(row) : (row) => left(row) || right(row);
}

type Comparison = (order: number) => boolean;

const isEqual: Comparison = (order) => order === 0;

/** What each operator asks of a field, by how it stands to the value. */
const comparisons: Readonly<Record<string, Comparison>> = {
  '==': isEqual,
  '=in=': isEqual,
  '!=': (order) => order !== 0,
  '=gt=': (order) => order > 0,
  '=ge=': (order) => order >= 0,
  '=lt=': (order) => order < 0,
  '=le=': (order) => order <= 0,
};

function toComparison({ left, operator, right }: ComparisonNode): Filter {
  const holds = comparisons[operator];
  const isList = Array.isArray(right.value);
  if (!holds || isList !== (operator === '=in=')) throw unreadable();
  const values = [right.value].flat();
  return (row) => {
    const field = fieldOf(row, left.selector);
    return values.some((value) => holds(compareWithText(field, value)));
  };
}

/** Negative, zero or positive; NaN for a field that is not there, and for a number with which the text cannot be compared. */
function compareWithText(field: unknown, text: string): number {
  if (typeof field === 'number') return field - Number(text || Number.NaN);
  if (typeof field === 'boolean')
    return Number(field) - Number({ false: 0, true: 1 }[text.toLowerCase()] ?? Number.NaN);
  if (typeof field !== 'string') return Number.NaN;
  if (field === text) return 0;
  return field < text ? -1 : 1;
}
