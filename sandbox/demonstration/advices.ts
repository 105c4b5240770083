import { isDeepStrictEqual } from 'node:util';
import { type OrderState, packageIdOf, parcelsIn, unitsIn } from '../simulator/state/order.ts';
import { type Goods, trackingOf } from '../simulator/state/shipment.ts';
import type { SubjectState } from '../simulator/state/subject.ts';
import type { MovementState } from '../simulator/state/transaction.ts';

/** Advice of an announcement, as its receiver reads it. */
type Advice = Readonly<Record<string, unknown>>;

/** Members of advices that are compared, with all of their quantities. */
const compared = {
  order: ['isShipped', 'isComplete', 'trackingNumbers', 'lines', 'parcels', 'totals'],
  receipt: ['isReceived', 'isComplete', 'lines'],
} as const;

const comparedOfLines: ReadonlySet<string> = new Set([
  ...['lineId', 'sku', 'qualifier', 'externalId', 'ordered', 'allocated', 'packed', 'shipped', 'short', 'lots'],
  ...['expected', 'received', 'difference', 'isOnHold', 'holdReason'],
]);

const comparedOfParcels: ReadonlySet<string> = new Set(['id', 'trackingNumber', 'sscc', 'weight', 'lines']);

/** Returns the quantities of an advice; undefined if it has no lines. */
function claimsIn(kind: 'order' | 'receipt', advice: Advice): Advice | undefined {
  if (!Array.isArray(advice.lines)) return undefined;
  const claims = only(new Set(compared[kind]), advice);
  return {
    ...claims,
    lines: advice.lines.map((line) => only(comparedOfLines, line)),
    ...(Array.isArray(advice.parcels) && { parcels: advice.parcels.map((one) => only(comparedOfParcels, one)) }),
  };
}

const only = (names: ReadonlySet<string>, value: Advice): Advice =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));

export interface AdviceCheck {
  /** Number of quantities that were compared. */
  readonly quantities: number;
  readonly problem?: string;
}

/** Compares every quantity of every line with what the warehouse did in one of these states; `saysStatus` is false where it shows none. */
export function checkAdvice(advice: Advice, states: readonly SubjectState[], saysStatus: boolean): AdviceCheck {
  const [{ kind } = { kind: undefined }] = states;
  if (kind !== 'order' && kind !== 'receipt') return { quantities: 0 };
  const claims = claimsIn(kind, advice);
  if (!claims) return { quantities: 0, problem: 'its advice has no lines' };
  const truths = states.map((state) => truthOf(state, saysStatus));
  const quantities = countNumbers(claims);
  if (truths.some((truth) => isDeepStrictEqual(claims, truth))) return { quantities };
  return { quantities, problem: `its advice is ${JSON.stringify(claims)}, not ${JSON.stringify(truths.at(-1))}` };
}

const countNumbers = (value: unknown): number => {
  if (typeof value === 'number') return 1;
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, member) => sum + countNumbers(member), 0)
    : 0;
};

function truthOf(state: SubjectState, saysStatus: boolean): Advice {
  if (state.kind === 'order') return truthOfOrder(state, saysStatus);
  return state.kind === 'receipt' ? truthOfReceipt(state, saysStatus) : {};
}

/** Leaves out what is undefined or an empty list. */
const said = (members: Advice): Advice =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );

/** Tenths and wholes are added as whole numbers, so that nothing is lost. */
function truthOfOrder(order: OrderState, saysStatus: boolean): Advice {
  const isShipped = saysStatus ? order.status === 1 : undefined;
  const parcels = parcelsIn(order);
  const packed = parcels.flatMap(({ goods }) => goods);
  const lines = order.lines.map(({ orderItemId, item, wares, qty }, index) => {
    const { scale = 1, qualifier, externalId } = wares ?? {};
    const own = packed.filter(({ line }) => line === index);
    const isPacked = packed.length > 0;
    const shippedUnits = isPacked ? unitsIn(own) : qty * scale;
    return said({
      lineId: String(orderItemId),
      externalId,
      sku: item.sku,
      qualifier: qualifier || undefined,
      ordered: qty,
      allocated: order.fullyAllocated ? qty : undefined,
      packed: isPacked ? shippedUnits / scale : undefined,
      shipped: isShipped ? shippedUnits / scale : undefined,
      short: isShipped ? (Math.round(qty * scale) - shippedUnits) / scale : undefined,
      lots: lotsOf(own, scale),
    });
  });
  const unitOf = (line: number) => order.lines[line]?.wares?.scale ?? 1;
  const tenths = packed.length > 0 ? packed : order.lines.flatMap(({ wares }) => wares?.goods ?? []);
  const shippedTenths = tenths.reduce((sum, { line, units }) => sum + units * (10 / unitOf(line)), 0);
  const plain = order.lines.reduce((sum, { qty }) => sum + qty, 0);
  const serialNumbers = packed.reduce((sum, goods) => sum + goods.serialNumbers.length, 0);
  const numbers = parcels.flatMap((one) => (one.isTracked ? [trackingOf(order.id, one)] : []));
  return said({
    isShipped,
    isComplete: isShipped ? lines.every(({ short }) => short === 0) : undefined,
    trackingNumbers: [...new Set(numbers)],
    lines,
    parcels: parcels.map((one) => truthOfParcel(order, one)),
    totals: said({
      lines: lines.length,
      units: isShipped ? (order.parcels ? shippedTenths / 10 : plain) : undefined,
      parcels: parcels.length || undefined,
      serialNumbers: serialNumbers || undefined,
    }),
  });
}

function truthOfParcel(order: OrderState, one: ReturnType<typeof parcelsIn>[number]): Advice {
  const id = packageIdOf(order.id, one.index);
  return said({
    id: String(id),
    trackingNumber: one.isTracked ? trackingOf(order.id, one) : undefined,
    sscc: order.parcels && id % 2 === 0 ? `34012345${String(id).padStart(10, '0')}` : undefined,
    weight: order.parcels && one.weight,
    lines: one.goods.map(({ line, units, lot, serialNumbers }) =>
      said({
        lineId: String(order.lines[line]?.orderItemId),
        quantity: units / (order.lines[line]?.wares?.scale ?? 1),
        sku: order.lines[line]?.item.sku,
        lotNumber: lot?.lotNumber,
        expiresOn: lot?.expires,
        serialNumbers,
      }),
    ),
  });
}

function lotsOf(goods: readonly Goods[], scale: number): readonly Advice[] {
  const named = goods.filter(({ lot, serialNumbers }) => lot !== undefined || serialNumbers.length > 0);
  const byLot = Map.groupBy(named, ({ lot }) => JSON.stringify(lot));
  return [...byLot.values()].map((own) =>
    said({
      lotNumber: own[0]?.lot?.lotNumber,
      expiresOn: own[0]?.lot?.expires,
      serialNumbers: own.flatMap(({ serialNumbers }) => serialNumbers),
      quantity: unitsIn(own) / scale,
    }),
  );
}

function truthOfReceipt({ status, received, item, qty }: MovementState, saysStatus: boolean): Advice {
  const isReceived = saysStatus ? status === 1 : undefined;
  const plain = [{ receiveItemId: 880_000 + item.id, item, expected: undefined, received: qty }];
  const rows = received?.filter(({ expected }) => status === 1 || expected > 0) ?? plain;
  const lines = rows.map((row) => {
    const { expected = isReceived === false ? qty : undefined } = row;
    const difference = expected === undefined ? undefined : row.received - expected;
    const holdReason = 'holdReason' in row ? row.holdReason : undefined;
    const lot = 'lot' in row ? row.lot : undefined;
    return said({
      lineId: String(row.receiveItemId),
      sku: row.item.sku,
      expected,
      received: isReceived ? row.received : undefined,
      difference: isReceived ? difference : undefined,
      isOnHold: holdReason === undefined ? undefined : true,
      holdReason,
      lots: lot
        ? [{ lotNumber: lot.lotNumber, expiresOn: lot.expires, quantity: status === 1 ? row.received : expected }]
        : undefined,
    });
  });
  const isComplete = lines.every(({ difference }) => difference !== undefined) || undefined;
  const isShort = lines.some(({ difference }) => typeof difference === 'number' && difference < 0);
  return said({ isReceived, isComplete: isReceived ? (isShort ? false : isComplete) : undefined, lines });
}
