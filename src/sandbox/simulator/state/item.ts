import type { Stream } from '../random.ts';
import { stockItemOf } from './directory.ts';
import { type Entry, type EntryOptions, newEntry } from './entry.ts';

/** An item of a customer as the warehouse has it. */
export interface ItemState extends Entry {
  readonly kind: 'item';
  readonly id: number;
  readonly sku: string;
  readonly description: string;
  readonly deactivated: boolean;
}

/** An item to which nothing has happened. */
export function newItem(id: number, stream: Stream, options: EntryOptions): ItemState {
  const entry = newEntry('item', stream, options);
  const material = stream.pick(['Steel', 'Linen', 'Walnut', 'Glass']);
  const thing = stream.pick(['bottle', 'lamp', 'tray', 'stool']);
  return { ...entry, id, sku: stockItemOf(id).sku, description: `${material} ${thing}`, deactivated: false };
}
