import { createStream, type Stream } from '../../random.ts';
import { carrierOf } from '../../state/carriers.ts';
import type { StockItem } from '../../state/directory.ts';

/** Lot with the day on which it expires, as `yyyy-mm-dd`. */
export interface Lot {
  readonly lotNumber: string;
  readonly expires: string;
}

/** Goods of one line from one lot. Units are whole numbers, of which a line says how many make one of its quantity. */
export interface Goods {
  readonly line: number;
  readonly units: number;
  readonly lot?: Lot;
  readonly serialNumbers: readonly string[];
}

/** Unit and traits of the goods of a line. */
export interface Wares {
  readonly unit: string;
  /** Units in a quantity of 1: ten of what is weighed to a tenth. */
  readonly scale: 1 | 10;
  /** Pieces in a case, of a line that was ordered by the case. */
  readonly perCase?: number;
  readonly qualifier: string;
  readonly externalId: string;
  /** All that was ordered, by lot. */
  readonly goods: readonly Goods[];
}

export interface Parcel {
  readonly index: number;
  readonly weight: number;
  readonly goods: readonly Goods[];
  /** It leaves on the next day, after the order was closed. */
  readonly isLater: boolean;
}

/** Facts that the warehouse learns only after it has closed an order. */
type Later = 'parcel' | 'tracking' | undefined;

const SHARE_OF_LATER_PARCELS = 0.05;
const SHARE_OF_LATER_TRACKING = 0.1;
const SHARE_OF_SHORT = 0.1;

export const laterOf = (seed: number, number: number): Later => {
  const stream = createStream(seed, `later of order ${number}`);
  const [hasParcel, hasTracking] = [stream.chance(SHARE_OF_LATER_PARCELS), stream.chance(SHARE_OF_LATER_TRACKING)];
  return hasParcel ? 'parcel' : hasTracking ? 'tracking' : undefined;
};

/** Most orders are small; one in ten has more than ten lines. */
export function realLineCountOf(seed: number, number: number): number {
  const stream = createStream(seed, `real lines of order ${number}`);
  const most = stream.pick([3, 3, 3, 3, 3, 3, 10, 10, 10, 40]);
  return stream.between(1, most);
}

interface Planned {
  readonly orderId: number;
  readonly items: readonly StockItem[];
  readonly later: Later;
}

/** Plans what an order is to ship, and in which parcels. One in ten ships less than was ordered, if it is packed at all. */
export function planShipment(
  stream: Stream,
  { orderId, items, later }: Planned,
): { readonly wares: readonly Wares[]; readonly parcels: readonly Parcel[] } {
  const wares = items.map((item, line) => waresOf(stream, orderId, item, line));
  const all = wares.flatMap(({ goods }) => goods);
  const packed = stream.chance(SHARE_OF_SHORT) ? shortened(stream, all) : all;
  return { wares, parcels: parcelsOf(stream, packed, later === 'parcel') };
}

function waresOf(stream: Stream, orderId: number, { id }: StockItem, line: number): Wares {
  const named = { qualifier: stream.pick(['', '', 'RED', 'B2B']), externalId: `${orderId}-${line + 1}` };
  const lot = (): Lot => ({
    lotNumber: `L${stream.between(100, 999)}`,
    expires: `2028-${String(stream.between(1, 12)).padStart(2, '0')}-${String(stream.between(1, 28)).padStart(2, '0')}`,
  });
  const plain = (units: number): readonly Goods[] => [{ line, units, serialNumbers: [] }];
  switch (id % 4) {
    case 1: {
      const lots = Array.from({ length: stream.between(1, 2) }, lot);
      return {
        ...named,
        unit: stream.pick(['Each', 'Kit']),
        scale: 1,
        goods: lots.map((one) => ({ line, units: stream.between(1, 12), lot: one, serialNumbers: [] })),
      };
    }
    case 2: {
      const units = stream.between(1, 6);
      const serialNumbers = Array.from({ length: units }, (_, index) => `SN${orderId}-${line}-${index}`);
      return { ...named, unit: 'Each', scale: 1, goods: [{ line, units, serialNumbers }] };
    }
    case 3: {
      const perCase = stream.pick([4, 6, 12]);
      return { ...named, unit: 'Each', scale: 1, perCase, goods: plain(perCase * stream.between(1, 4)) };
    }
    default:
      return { ...named, unit: 'Pound', scale: 10, goods: plain(stream.between(1, 120)) };
  }
}

/** Leaves out a part of some goods, or all of them, but never everything. */
function shortened(stream: Stream, all: readonly Goods[]): readonly Goods[] {
  const [at, total] = [stream.between(0, all.length - 1), all.reduce((sum, { units }) => sum + units, 0)];
  const { units = 0 } = all[at] ?? {};
  const missing = stream.between(1, Math.max(1, Math.min(units, total - 1)));
  return total === 1 ? all : all.flatMap((goods, index) => (index === at ? take(goods, 0, units - missing) : [goods]));
}

/** Returns the units of goods from one on, with their serial numbers; nothing, if there are none. */
function take(goods: Goods, from: number, units: number): readonly Goods[] {
  return units === 0 ? [] : [{ ...goods, units, serialNumbers: goods.serialNumbers.slice(from, from + units) }];
}

const MOST_PARCELS = 6;

function parcelsOf(stream: Stream, packed: readonly Goods[], isOnTwoDays: boolean): readonly Parcel[] {
  const count = isOnTwoDays ? 2 : stream.pick([1, 1, 1, 2, 3, stream.between(1, MOST_PARCELS)]);
  const contents = Array.from({ length: count }, (): Goods[] => []);
  for (const goods of packed) {
    const first = goods.units > 1 && stream.chance(0.5) ? stream.between(1, goods.units - 1) : goods.units;
    for (const part of [...take(goods, 0, first), ...take(goods, first, goods.units - first)])
      contents[stream.between(0, count - 1)]?.push(part);
  }
  const filled = contents.filter((goods) => goods.length > 0);
  return filled.map((goods, index) => ({
    index,
    goods,
    weight: stream.between(5, 400) / 10,
    isLater: isOnTwoDays && index > 0,
  }));
}

/** Number of a parcel; the first has that of its order. */
export const trackingOf = (orderId: number, { index }: Pick<Parcel, 'index'>): string =>
  carrierOf(orderId).track(orderId + index * 7_919);
