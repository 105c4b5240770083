import type { Stream } from '../random.ts';
import { chooseFacility, type Identifier, items, type StockItem, stockItemOf } from './directory.ts';
import { type Entry, type EntryOptions, newEntry } from './entry.ts';

/** A received item that may be on hold, as the warehouse has it; its id is the receive item's. */
export interface HoldState extends Entry {
  readonly kind: 'hold';
  readonly id: number;
  readonly facility: Identifier;
  readonly item: StockItem;
  readonly qualifier: string;
  readonly qty: number;
  readonly onHold: boolean;
  readonly onHoldReason: string | null;
}

/** A received item that was never on hold. */
export function newHold(id: number, stream: Stream, options: EntryOptions): HoldState {
  const entry = newEntry('hold', stream, options);
  const facility = chooseFacility(stream, options.facilityId);
  const { id: itemId } = stream.pick(items);
  return {
    ...entry,
    id,
    facility,
    item: stockItemOf(options.itemId ?? itemId),
    qualifier: options.qualifier ?? '',
    qty: stream.between(1, 480),
    onHold: false,
    onHoldReason: null,
  };
}
