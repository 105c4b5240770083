import { stockId } from '../../../domain/catalogue/stock-key.ts';
import type { StockLevels } from '../../../domain/lifecycle/snapshot.ts';
import { createStream, type Stream } from '../random.ts';
import { chooseFacility, type Identifier, type StockItem, stockItemOf } from './directory.ts';
import { type Entry, type EntryOptions, newEntry } from './entry.ts';

/** How much there is of one item with one qualifier in one facility, as the warehouse has it. */
export interface StockState extends Entry {
  readonly kind: 'stock';
  /** `12.7001.`: the three of its key. */
  readonly id: string;
  readonly facility: Identifier;
  readonly item: StockItem;
  readonly qualifier: string;
  readonly levels: Required<StockLevels>;
  /** What decides how its levels move by themselves. */
  readonly seed: number;
  /** How often they have. */
  readonly moves: number;
}

/** Stock to which nothing has happened; of an item of its own where no other is chosen. */
export function newStock(ownItemId: number, stream: Stream, options: EntryOptions): StockState {
  const { itemId = ownItemId, qualifier = '' } = options;
  const entry = newEntry('stock', stream, options);
  const facility = chooseFacility(stream, options.facilityId);
  const onHand = stream.between(20, 480);
  return {
    ...entry,
    id: stockId({ facilityId: String(facility.id), itemId: String(itemId), qualifier }),
    facility,
    item: stockItemOf(itemId),
    qualifier,
    levels: { totalReceived: onHand, allocated: 0, available: onHand, onHold: 0, onHand },
    seed: stream.between(0, 1_000_000),
    moves: 0,
  };
}

/** The levels after some more were received, or some were shipped, which stay allocated. */
export function moveLevels({ seed, moves, levels }: StockState): Required<StockLevels> {
  const stream = createStream(seed, `move ${moves}`);
  const isShipped = stream.chance(0.5) && levels.available > 0;
  const qty = stream.between(1, isShipped ? Math.min(12, levels.available) : 12);
  const change = isShipped ? -qty : qty;
  return {
    ...levels,
    totalReceived: levels.totalReceived + (isShipped ? 0 : qty),
    allocated: levels.allocated + (isShipped ? qty : 0),
    available: levels.available + change,
    onHand: levels.onHand + change,
  };
}
