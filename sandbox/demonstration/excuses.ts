import type { ResourceKind } from '../../src/domain/catalogue/enrichment.ts';
import { isSwept, kindOf, retrievalOf } from '../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../src/domain/kinds/kinds.ts';
import type { ApiOperation } from '../simulator/api/faults.ts';
import { currentPickJob } from '../simulator/kinds/order/state.ts';
import type { Case, Witnesses } from './case.ts';

const operations = {
  ...retrievalOf,
  orderItem: 'getOrdersItem',
  user: 'getUser',
  customer: 'getCustomer',
  pickList: 'getOrdersPicklist',
} as const satisfies Record<ResourceKind, ApiOperation | null>;

/** Reports whether an announcement may lack a record: the warehouse did not return it, or the receiver did not take it. */
export function isExcused(member: ResourceKind, it: Case, witnesses: Witnesses): boolean {
  const { simulator } = witnesses;
  const operation = operations[member];
  if (operation === null) return isShownTooLate(it);
  const { forbidden, statuses } = simulator.faults();
  if (forbidden.includes(operation) || statuses[operation] !== undefined) return true;
  if (it.states.some(({ state }) => state.deleted)) return true;
  if (member === it.received.content.kind) return isOwnExcused(it, witnesses);
  return (
    simulator.wasFailing(operation, it.received.receivedAt) ||
    pathsOf(member, it).some(simulator.isWithheld) ||
    (member === 'pickList' && isWithoutJob(it))
  );
}

/** Time within which no announcement is recorded after its message was accepted, in milliseconds. */
const RECORDING_MS = 20;

/** A richer message that comes soon completes the first; one that comes later may find the event announced. */
function isShownTooLate({ received, event }: Case): boolean {
  const { shownAt = Number.POSITIVE_INFINITY, shownAfterMs = 0 } = event ?? {};
  return shownAfterMs > RECORDING_MS || received.triedAt < shownAt;
}

/** Nothing but for good holds back the record itself: one that has no known member cannot be told from an error's. */
function isOwnExcused({ received, subject: { kind, id } }: Case, { simulator, receiver }: Witnesses): boolean {
  const { largeRecord, guessedPaths, bareTransactions } = simulator.manners();
  const isGuessed = isSwept(kind) && kindOf(kind).isIdGuessed;
  const isLarge = () => simulator.truth().find((one) => one.kind === mainKind)?.id === id;
  return (
    receiver.isTooLarge(received.id) || (isGuessed && (!guessedPaths || bareTransactions)) || (largeRecord && isLarge())
  );
}

/** Returns the paths of a part; one GET of the order may return its lines, and its links name its pick job. */
function pathsOf(member: ResourceKind, { received: { content }, states }: Case): readonly string[] {
  const all = states.map(({ state }) => state);
  const order = `/orders/${content.id}`;
  if (member === 'orderItem') return [order, `${order}/items/${content.orderItemId}`];
  if (member === 'customer') return all.map(({ customer }) => `/customers/${customer.id}`);
  if (member === 'user') return all.map(({ lastModifiedBy }) => `/uiproperties/users/${lastModifiedBy.id}`);
  const jobs = all.flatMap((state) => (state.kind === mainKind ? state.pickJobs : []));
  return [order, ...jobs.map(({ id }) => `/orders/pickjobs/${id}/picklist`)];
}

/** An order that was taken out of its job has no pick list. */
function isWithoutJob({ states }: Case): boolean {
  return states.slice(1).some(({ state }) => state.kind === mainKind && currentPickJob(state) === undefined);
}
