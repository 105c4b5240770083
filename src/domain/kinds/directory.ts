import type { Located, Operations } from './kind.ts';

/** No subjects, but parts of announcements. */
export const directory = {
  customer: { id: 'readOnly.customerId', isIdGuessed: true, segments: 'customers?' },
  user: { id: 'userId', isIdGuessed: true, segments: 'users?' },
} as const satisfies Readonly<Record<string, Located>>;

export const directoryOperations = {
  getCustomer: { path: '/customers/{id}', returns: 'customers', part: 'customer' },
  getUser: { path: '/uiproperties/users/{id}', returns: 'users', part: 'user' },
} as const satisfies Operations;
