import type { PlannedEvent } from '../catalogue/event.ts';
import type { Change, Lifecycle } from './lifecycle.ts';

/** Customers around a batch of changes; undefined while they are unknown. */
interface Around {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Returns the customer of a subject after a batch: whom its state names, or else the last change that names somebody. What names nobody has
 * not changed it.
 */
export const customerAfter = (
  { lifecycle, changes }: { readonly lifecycle: Lifecycle; readonly changes: readonly Change[] },
  before: string | undefined,
): string | undefined =>
  lifecycle.snapshot?.customerId ??
  changes.flatMap((change) => (setsCustomer(change) ? (change.after?.customerId ?? []) : [])).at(-1) ??
  before;

/** Reports whether a change says of whom the subject is from then on. What happened before something that is known already does not. */
const setsCustomer = ({ late, event }: Change): boolean => !late && !event?.disputed;

/**
 * Names the customer of each change: whom its own message names. A message that names nobody has not changed the customer; one that names
 * two is nobody's. A record that was fetched after the whole batch names the customer of every change that it shows.
 */
export function nameCustomers(changes: readonly Change[], { before, after }: Around): readonly Change[] {
  let current = before;
  return changes.map((change) => {
    const named = change.after ? (change.after.customerId ?? current) : after;
    if (setsCustomer(change)) current = named;
    const customerId = change.after && change.event?.disputed ? undefined : named;
    return ownedBy(customerId, change);
  });
}

/** Names the customer of a change, whose facts from before it may be those of another. */
function ownedBy(customerId: string | undefined, change: Change): Change {
  const { before, after } = change;
  const isOfAnother =
    before && before.customerId !== (before.customerId === undefined ? after?.customerId : customerId);
  return { ...change, ...(isOfAnother && { before: null }), ...(customerId !== undefined && { customerId }) };
}

/**
 * Returns the customers of events after a batch, by the ids of those whose customer is known. An event whose message names another is
 * nobody's.
 */
export function customersOfEvents(
  events: readonly PlannedEvent[],
  changes: readonly Change[],
  after: string | undefined,
): ReadonlyMap<string, string> {
  const byEvent = new Map(changes.map(({ event, customerId }) => [event?.id, customerId]));
  return new Map(
    events.flatMap(({ id, shown, names, disputed }) => {
      const customerId = byEvent.has(id) ? byEvent.get(id) : (shown?.customerId ?? after);
      return customerId === undefined || disputed || contradicts(names, customerId) ? [] : [[id, customerId]];
    }),
  );
}

/** Customer of what nobody may have who is limited to customers, since what names it contradicts itself; it does not become known later. */
export const NOBODY = '';

/** Reports whether the message of an event contradicts the customer that a change has, or names several. */
export const isContradicted = (
  event: Pick<PlannedEvent, 'names' | 'disputed'> | null | undefined,
  customerId: string | null | undefined,
): boolean => event != null && (event.disputed === true || contradicts(event.names, customerId));

/** Reports whether a customer that something names contradicts the one that it is said to be of. */
export const contradicts = (named: string | null | undefined, customerId: string | null | undefined): boolean =>
  named != null && customerId != null && named !== customerId;
