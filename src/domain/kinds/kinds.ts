import { adjustment } from './adjustment/adjustment.ts';
import { assembly } from './assembly/assembly.ts';
import { hold } from './hold/hold.ts';
import { item } from './item/item.ts';
import type { Located, Operations } from './kind.ts';
import { order, orderItem } from './order/order.ts';
import { receipt } from './receipt/receipt.ts';
import { stock } from './stock/stock.ts';

/** In the specification's order (section 6.2). To add a kind, add its row. */
export const families = { order, receipt, adjustment, assembly, orderItem, item, stock, hold } as const;

const { orderItem: _, ...subjects } = families;

export const kinds = subjects;

/** Meant where none is named. */
export const mainKind = 'order' as const satisfies keyof typeof kinds;

/** No subjects, but parts of announcements. */
export const directory = {
  customer: { id: 'readOnly.customerId', isIdGuessed: true, segments: 'customers?' },
  user: { id: 'userId', isIdGuessed: true, segments: 'users?' },
} as const satisfies Readonly<Record<string, Located>>;

export const directoryOperations = {
  getCustomer: { path: '/customers/{id}', returns: 'customers', part: 'customer' },
  getUser: { path: '/uiproperties/users/{id}', returns: 'users', part: 'user' },
} as const satisfies Operations;
