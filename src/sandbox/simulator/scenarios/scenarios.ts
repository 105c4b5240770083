import type { SubjectKind } from '../../../domain/catalogue/subject.ts';
import { holdLives, itemLives, stockLives } from './inventory.ts';
import { adjustmentLives, assemblyLives, receiptLives } from './movement.ts';
import { orderLives } from './order.ts';
import type { Step } from './step.ts';

const tables = {
  order: orderLives,
  receipt: receiptLives,
  adjustment: adjustmentLives,
  assembly: assemblyLives,
  item: itemLives,
  stock: stockLives,
  hold: holdLives,
} as const satisfies Record<SubjectKind, object>;

/** The name of a life of an order. */
export type ScenarioName = keyof typeof orderLives;

/** The name of a life of anything. */
export type AnyLifeName = { readonly [K in SubjectKind]: keyof (typeof tables)[K] }[SubjectKind];

/** The names of all lives of an order. */
export const lifeNames = Object.keys(orderLives) as ScenarioName[];

/** A life that something may lead, as the events that happen in it, in order. */
export interface Life {
  readonly name: AnyLifeName;
  readonly steps: readonly Step[];
}

/** Lives to choose from. */
export type Lives = readonly [Life, ...Life[]];

/** The lives that each kind may lead. */
export const lives: Readonly<Record<SubjectKind, Lives>> = {
  order: toLives(tables.order),
  receipt: toLives(tables.receipt),
  adjustment: toLives(tables.adjustment),
  assembly: toLives(tables.assembly),
  item: toLives(tables.item),
  stock: toLives(tables.stock),
  hold: toLives(tables.hold),
};

function toLives(table: { readonly [N in AnyLifeName]?: readonly Step[] }): Lives {
  return Object.entries(table).map(([name, steps]) => ({ name, steps })) as [Life, ...Life[]];
}
