import type { PlannedEvent } from '../catalogue/event.ts';
import type { Change, Lifecycle } from './lifecycle.ts';

interface Around {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Whom the state names, or else the last change that names somebody. What names nobody changes nothing. */
export const customerAfter = (
  { lifecycle, changes }: { readonly lifecycle: Lifecycle; readonly changes: readonly Change[] },
  before: string | undefined,
): string | undefined =>
  lifecycle.snapshot?.customerId ??
  changes.flatMap((change) => (setsCustomer(change) ? (change.after?.customerId ?? []) : [])).at(-1) ??
  before;

/** A late change does not: something newer is known. Nor does a disputed one. */
const setsCustomer = ({ late, event }: Change): boolean => !late && !event?.disputed;

/** Each change is of whom its message names, of nobody if that names two; without a message, of whom the record names. */
export function nameCustomers(changes: readonly Change[], { before, after }: Around): readonly Change[] {
  let current = before;
  return changes.map((change) => {
    const named = change.after ? (change.after.customerId ?? current) : after;
    if (setsCustomer(change)) current = named;
    const customerId = change.after && change.event?.disputed ? undefined : named;
    return ownedBy(customerId, change);
  });
}

/** Facts from before the change may be those of another. */
function ownedBy(customerId: string | undefined, change: Change): Change {
  const { before, after } = change;
  const isOfAnother =
    before && before.customerId !== (before.customerId === undefined ? after?.customerId : customerId);
  return { ...change, ...(isOfAnother && { before: null }), ...(customerId !== undefined && { customerId }) };
}

/** By event id, without unknown customers. An event whose message names another is nobody's. */
export function customersOfEvents(
  events: readonly PlannedEvent[],
  changes: readonly Change[],
  after: string | undefined,
): ReadonlyMap<string, string> {
  const byEvent = new Map(changes.map(({ event, customerId }) => [event?.id, customerId]));
  return new Map(
    events.flatMap((event) => {
      const customerId = byEvent.has(event.id) ? byEvent.get(event.id) : (event.shown?.customerId ?? after);
      return customerId === undefined || isContradicted(event, customerId) ? [] : [[event.id, customerId]];
    }),
  );
}

/** Contradicts itself: nobody limited to customers may have it, also later. */
export const NOBODY = '';

export const isContradicted = (
  event: Pick<PlannedEvent, 'names' | 'disputed'> | null | undefined,
  customerId: string | null | undefined,
): boolean => event != null && (event.disputed === true || contradicts(event.names, customerId));

export const contradicts = (named: string | null | undefined, customerId: string | null | undefined): boolean =>
  named != null && customerId != null && named !== customerId;
