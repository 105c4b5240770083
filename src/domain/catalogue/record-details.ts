import { isObject, readerOf } from '../../base/json.ts';
import { readId, readNumber, readText } from '../wire-values.ts';
import { linesIn } from './rows.ts';

/** Line of an order. */
interface RecordLine {
  readonly id: string;
  readonly sku?: string;
  readonly quantity?: number;
}

/** Parts of a record that its page shows beside its facts. */
export interface RecordDetails {
  /** Where it is shipped to, without who lives there. */
  readonly shipTo?: string;
  readonly lines: readonly RecordLine[];
}

/** Lines that a page shows. */
const LINES = 500;

/** Reads the details of a record of any kind. */
export function readDetails(record: unknown): RecordDetails {
  const read = readerOf(record);
  const places = ['city', 'state', 'zip', 'country'].map((name) => readText(read('shipto', name)));
  const shipTo = places.filter((place) => place !== undefined).join(', ');
  const lines = (linesIn(record) ?? []).filter(isObject).slice(0, LINES).flatMap(lineOf);
  return { ...(shipTo !== '' && { shipTo }), lines };
}

function lineOf(line: object): readonly RecordLine[] {
  const read = readerOf(line);
  const id = readId(read('readonly', 'orderitemid') ?? read('orderitemid'));
  const sku = readText(read('itemidentifier', 'sku'));
  const quantity = readNumber(read('qty'));
  if (id === undefined) return [];
  return [{ id, ...(sku !== undefined && { sku }), ...(quantity !== undefined && { quantity }) }];
}
