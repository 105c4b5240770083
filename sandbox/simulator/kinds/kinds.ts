import type { Family } from '../../../src/domain/catalogue/catalogue.ts';
import type { SubjectKind } from '../../../src/domain/catalogue/subject.ts';
import type { families as specified } from '../../../src/domain/kinds/kinds.ts';
import { adjustment } from './adjustment.ts';
import { assembly } from './assembly.ts';
import { hold } from './hold.ts';
import { item } from './item.ts';
import type { EventTypeRow, Kind } from './kind.ts';
import { order, orderItem } from './order/order.ts';
import { receipt } from './receipt.ts';
import { stock } from './stock.ts';

/** Everything that events are about, in the specification's order. To add a kind, add its row. */
export const families = { order, receipt, adjustment, assembly, orderItem, item, stock, hold } as const satisfies {
  readonly [F in Family]: EventTypeRow;
};

const { orderItem: _, ...subjects } = families;

type Kinds = typeof subjects;

/** Subject of a kind as the warehouse stores it. */
export type StateOf<K extends SubjectKind> = ReturnType<Kinds[K]['create']>;

export type SubjectState = { readonly [K in SubjectKind]: StateOf<K> }[SubjectKind];

/** Event that can happen, by its name in the catalogue. */
export type EventName = (typeof specified)[Family]['events'][number]['name'];

/** Name of a scenario of a kind. */
export type ScenarioOf<K extends SubjectKind> = keyof Kinds[K]['scenarios'];

export const kindOf = (kind: SubjectKind) => subjects[kind] as unknown as Kind<SubjectState>;
