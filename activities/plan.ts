import type { PlannedEvent } from '../src/domain/catalogue/event.ts';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { SavedSubject } from '../src/domain/lifecycle/attention.ts';
import { CUSTOMERS, type Refusal } from '../src/domain/lifecycle/refusal.ts';

/** Each operation once. */
export interface RetrievalPlan {
  readonly operations: readonly Operation[];
  readonly userIds: readonly string[];
  /** Some event with a user does not name it: the subject's last modifier stands in. */
  readonly needsModifier?: true;
  readonly pickJobId?: string;
  readonly orderItemIds?: readonly string[];
  readonly customerId?: string;
  /** No longer listed, so that a 404 is an answer. */
  readonly missing?: boolean;
  /** Never fetched, and not reported as deleted: a 404 may come from a read that lags behind. */
  readonly isNew?: true;
  /** No event asks for the subject itself: its GET only leads to parts. */
  readonly isOwnOptional?: true;
  /** Every event that asks for the subject carries it; if none asks, its GET was refused before. */
  readonly isCarried?: true;
  readonly ownRefusedSince?: number;
}

/** Undefined if there is nothing to fetch. A refresh fetches the subject, and again what was refused. */
export function planRetrieval(
  subject: SubjectRef,
  saved: SavedSubject | undefined,
  events: readonly PlannedEvent[],
  refresh: boolean,
): RetrievalPlan | undefined {
  const asking: readonly RetrievalRequest[] = [...(refresh ? (saved?.refused ?? []).flatMap(askAgain) : []), ...events];
  const operations = operationsOf(subject, saved, asking, refresh);
  const withUser = asking.filter(({ plan }) => plan.includes('getUser'));
  const userIds = withUser.flatMap(({ userId }) => userId ?? []);
  const orderItemIds = asking.flatMap(({ orderItemId, plan }) =>
    orderItemId && plan.includes('getOrdersItem') ? [orderItemId] : [],
  );
  const pickJobId = asking.findLast((event) => event.pickJobId)?.pickJobId;
  const known = saved?.lifecycle.snapshot?.customerId;
  const shown = events.findLast((event) => event.shown?.customerId)?.shown?.customerId;
  const customerId = events.findLast((event) => event.customerId)?.customerId ?? shown ?? known;
  // An event that carries its resource needs no GET, except for a customer that it names first.
  if (operations.length === 0 && (shown === undefined || shown === known)) return undefined;
  return {
    operations,
    userIds: [...new Set(userIds)],
    ...(userIds.length < withUser.length && { needsModifier: true }),
    ...(pickJobId && { pickJobId }),
    ...(orderItemIds.length > 0 && { orderItemIds: [...new Set(orderItemIds)] }),
    ...(customerId && { customerId }),
    ...(events.some(({ missing }) => missing) && { missing: true }),
    ...planOwn(subject, saved, events, refresh),
  };
}

/** An event, or an earlier refusal. */
type RetrievalRequest = Pick<PlannedEvent, 'plan' | 'userId' | 'orderItemId' | 'pickJobId'>;

function askAgain({ operation, id }: Refusal): readonly RetrievalRequest[] {
  if (operation === CUSTOMERS) return [];
  const plan = [operation];
  if (id === undefined) return [{ plan }];
  if (operation === 'getUser') return [{ plan, userId: id }];
  if (operation === 'getOrdersItem') return [{ plan, orderItemId: id }];
  return [operation === 'getOrdersPicklist' ? { plan, pickJobId: id } : { plan }];
}

function planOwn(
  { kind }: SubjectRef,
  saved: SavedSubject | undefined,
  events: readonly PlannedEvent[],
  refresh: boolean,
): Pick<RetrievalPlan, 'isNew' | 'isOwnOptional' | 'isCarried' | 'ownRefusedSince'> {
  const own = retrievalOf[kind];
  const asking = own ? events.filter(({ plan }) => plan.includes(own)) : [];
  const ownRefusedSince = saved?.refused.find(({ operation }) => operation === own)?.since;
  const wasRefused = ownRefusedSince !== undefined;
  const isCarried = (asking.length > 0 || wasRefused) && asking.every(({ carriesResource }) => carriesResource);
  const isNew = !saved?.lifecycle.snapshot && events.length > 0;
  const isOver = events.some(({ missing, milestone }) => missing || milestone === 'deleted');
  return {
    ...(isNew && !isOver && { isNew: true }),
    ...(asking.length === 0 && !refresh && { isOwnOptional: true }),
    ...(isCarried && { isCarried: true }),
    ...(wasRefused && { ownRefusedSince }),
  };
}

function operationsOf(
  { kind }: SubjectRef,
  saved: SavedSubject | undefined,
  asking: readonly RetrievalRequest[],
  refresh: boolean,
): Operation[] {
  const plan = new Set(asking.flatMap((event) => event.plan));
  const retrieval = retrievalOf[kind];
  // A line alone shows neither the customer of its order nor the number of lines.
  const isUnknown = plan.has('getOrdersItem') && !saved?.lifecycle.snapshot;
  return [...new Set([...(retrieval && (refresh || isUnknown) ? [retrieval] : []), ...plan])];
}
