import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import type { Entry } from '../../src/inbox/rows.ts';
import { USER_ID } from './resources.ts';
import { steps, TENANT, writeMessage } from './workload.ts';

/** So many orders are under way at once: the rows of one lie that far apart. */
const ORDERS_AT_ONCE = 500;

const FIRST_ORDER = 31_000_000;
const FIRST_EVENT = 310_000_000;
const FIRST_TIME = Date.UTC(2026, 1, 11, 10, 42);

/** What the inbox keeps of the next webhooks after so many: 2 KB each, one for each step of each order, its orders interleaved. */
export const entriesAfter = (start: number, count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => entryAt(start + index));

function entryAt(index: number): Entry {
  const block = Math.floor(index / (ORDERS_AT_ONCE * steps.length));
  const within = index % (ORDERS_AT_ONCE * steps.length);
  const step = Math.floor(within / ORDERS_AT_ONCE);
  const orderId = String(FIRST_ORDER + block * ORDERS_AT_ONCE + (within % ORDERS_AT_ONCE));
  const eventId = `${TENANT}:${FIRST_EVENT + index}`;
  const time = FIRST_TIME + index;
  const name = steps[step]?.name ?? '';
  return {
    ...{ eventId, endpoint: 'warehouse', tenant: TENANT, receivedAt: time },
    subjectKey: subjectKey({ tenant: TENANT, kind: 'order', id: orderId }),
    event: { id: eventId, tenant: TENANT, name, time, subject: 'order', subjectId: orderId, userId: String(USER_ID) },
    body: writeMessage({ orderId, step, eventId: FIRST_EVENT + index, time }),
  };
}
