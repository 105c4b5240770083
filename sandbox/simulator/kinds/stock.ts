import { stockId } from '../../../src/domain/kinds/stock/summary.ts';
import type { StockLevels } from '../../../src/domain/lifecycle/snapshot.ts';
import type { Manners } from '../manners.ts';
import { createStream } from '../random.ts';
import { type Resource, relation } from '../resources/resource.ts';
import { chooseFacility, stockItemOf, system } from '../state/directory.ts';
import { type NewSubject, newEntry } from '../state/entry.ts';
import { type Kind, onlyDefault } from './kind.ts';

/** Creates stock, by default of an item that no other stock refers to. */
function newStock(subject: NewSubject) {
  const { id: ownItemId, stream, itemId = ownItemId, qualifier = '' } = subject;
  const entry = newEntry('stock', subject);
  const facility = chooseFacility(stream, subject.facilityId);
  const onHand = stream.between(20, 480);
  return {
    ...entry,
    /** Facility, item and qualifier: `12.7001.`. */
    id: stockId({ facilityId: String(facility.id), itemId: String(itemId), qualifier }),
    facility,
    item: stockItemOf(itemId),
    qualifier,
    levels: { totalReceived: onHand, allocated: 0, available: onHand, onHold: 0, onHand },
    /** Seed of the changes that no caller chooses. */
    seed: stream.between(0, 1_000_000),
    /** Number of changes so far. */
    moves: 0,
  };
}

/** Stock of one item with one qualifier in one facility. */
type StockState = Readonly<ReturnType<typeof newStock>>;

/** Returns the levels after a receipt, or after a shipment, whose quantity stays allocated. */
function moveLevels({ seed, moves, levels }: StockState): Required<StockLevels> {
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

/** Shows it as a row of the stock summaries. */
const rowOf = ({ item, qualifier, levels, facility }: StockState): Resource => ({
  itemIdentifier: item,
  qualifier,
  ...levels,
  facilityId: facility.id,
});

/** Returns its row, or those of all stock of its item in the form that the manners give them. */
function rowsOf(stock: StockState, { stockRows }: Manners, all: () => readonly StockState[]) {
  if (stockRows === 'single') return rowOf(stock);
  const rows = all()
    .filter(({ item }) => item.id === stock.item.id)
    .map(rowOf);
  if (stockRows === 'array') return rows;
  return stockRows === 'embedded'
    ? { _embedded: { [relation('inventory/stocksummary')]: rows } }
    : { ResourceList: rows };
}

export const stock = {
  type: 'Inventory Summary',
  resources: onlyDefault,
  create: newStock,
  stage: () => 'current',
  facts: ({ item, levels }) => ({ referenceNumber: item.sku, levels }),
  orders: 5,
  effects: {
    changed: (stock, { levels }) => ({
      levels: levels ? { ...stock.levels, ...levels } : moveLevels(stock),
      moves: stock.moves + 1,
      lastModifiedBy: system,
    }),
  },
  scenarios: { moved: 'changed changed changed changed? changed? changed? changed? changed?' },
  properties: [
    'facilityId',
    'itemIdentifier.id',
    'itemIdentifier.sku',
    'qualifier',
    'onHand',
    'available',
    'allocated',
    'onHold',
  ],
  show: (stock) => ({
    rel: 'inventory/stocksummary',
    path: '/inventory/stocksummaries',
    ids: { FacilityId: String(stock.facility.id), ItemId: String(stock.item.id), Qualifier: stock.qualifier },
    body: rowOf(stock),
  }),
  inMessage: rowsOf,
} as const satisfies Kind<StockState>;
