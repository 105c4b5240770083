import { isDeepStrictEqual } from 'node:util';
import type { Advice } from '../simulator/kinds/kind.ts';
import { kindOf, type SubjectState } from '../simulator/kinds/kinds.ts';

const comparedOfLines: ReadonlySet<string> = new Set([
  ...['lineId', 'sku', 'qualifier', 'externalId', 'ordered', 'allocated', 'packed', 'shipped', 'short', 'lots'],
  ...['expected', 'received', 'difference', 'isOnHold', 'holdReason'],
]);

const comparedOfParcels: ReadonlySet<string> = new Set(['id', 'trackingNumber', 'sscc', 'weight', 'lines']);

/** Returns the quantities of an advice; undefined if it has no lines. */
function claimsIn(advice: Advice, compared: readonly string[]): Advice | undefined {
  if (!Array.isArray(advice.lines)) return undefined;
  return {
    ...only(new Set(compared), advice),
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
  const known = states[0] && kindOf(states[0].kind).advice;
  if (!known) return { quantities: 0 };
  const claims = claimsIn(advice, known.compared);
  if (!claims) return { quantities: 0, problem: 'its advice has no lines' };
  const truths = states.map((state) => known.truth(state, saysStatus));
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
