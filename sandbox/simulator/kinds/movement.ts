import type { SweptKind } from '../../../src/domain/catalogue/subject.ts';
import { items, type StockItem } from '../state/directory.ts';
import type { NewSubject } from '../state/entry.ts';
import { type Kind, onlyDefault } from './kind.ts';
import { newTransaction, showTransaction, type Transaction, transaction } from './transaction.ts';

/** Transaction that moves one item. */
export interface Movement<K extends SweptKind = SweptKind> extends Transaction {
  readonly kind: K;
  readonly item: StockItem;
  readonly qty: number;
}

export function newMovement<K extends SweptKind>(kind: K, subject: NewSubject): Movement<K> {
  const { stream } = subject;
  return { ...newTransaction(kind, subject), item: stream.pick(items), qty: stream.between(1, 480) };
}

/** Returns what adjustments and assemblies share. Their fields are a guess after those of a receipt, with the item and quantity at the top level. */
export const movementOf = <K extends SweptKind>(kind: K) =>
  ({
    ...transaction,
    resources: onlyDefault,
    create: (subject: NewSubject) => newMovement(kind, subject),
    scenarios: {
      straight: 'created updated? completed',
      canceled: 'created updated? canceled',
      deleted: 'created updated? deleted',
    },
    orders: 10,
    properties: ['itemIdentifier.id', 'itemIdentifier.sku'],
    show: (movement: Movement<K>, _: unknown, localTime) =>
      showTransaction(movement, localTime, { itemIdentifier: movement.item, qty: movement.qty }),
  }) as const satisfies Partial<Kind<Movement<K>>>;
