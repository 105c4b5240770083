import { milestones } from '../../src/domain/lifecycle/milestone.ts';
import { clockMilestones } from '../../src/domain/lifecycle/observe.ts';
import { type Snapshot, sameLevels } from '../../src/domain/lifecycle/snapshot.ts';
import { requestedSections } from '../simulator/resources/sections.ts';
import { showPlainly } from '../simulator/resources/subject.ts';
import type { Dated } from '../simulator/state/book.ts';
import { currentPickJob, type OrderState } from '../simulator/state/order.ts';
import type { SubjectState } from '../simulator/state/subject.ts';
import type { MovementState } from '../simulator/state/transaction.ts';

/** Returns the facts that a record of this state shows. */
function factsOf(state: SubjectState): Snapshot {
  const { customer } = state;
  const named = { customerId: String(customer.id), customerName: customer.name };
  switch (state.kind) {
    case 'item':
      return { ...named, referenceNumber: state.sku, deactivated: state.deactivated };
    case 'stock':
      return { ...named, ...placeOf(state), referenceNumber: state.item.sku, levels: state.levels };
    case 'hold':
      return { ...named, ...placeOf(state), referenceNumber: state.item.sku, onHold: state.onHold };
    default:
      return { ...named, ...placeOf(state), ...progressOf(state), referenceNumber: state.referenceNum };
  }
}

const placeOf = ({ facility }: { readonly facility: { readonly id: number; readonly name: string } }): Snapshot => ({
  facilityId: String(facility.id),
  facilityName: facility.name,
});

const statuses = ['open', 'closed', 'canceled'] as const;

function progressOf(state: OrderState | MovementState): Snapshot {
  const status = statuses[state.status];
  if (state.kind !== 'order') return { status, completed: !state.deferNotification };
  const job = currentPickJob(state);
  return {
    status,
    fullyAllocated: state.fullyAllocated,
    lineCount: state.lines.length,
    pickDone: state.pickDone !== null,
    packStarted: state.packStarted !== null,
    packDone: state.packDone !== null,
    ...(job && { pickJobId: String(job.id) }),
  };
}

const everySection = requestedSections(new URLSearchParams('detail=all'));

/** Reports whether a record of this state has a text, in whatever member. */
const shows = (state: SubjectState, text: unknown): boolean =>
  typeof text === 'string' &&
  JSON.stringify(showPlainly(state, everySection, String).body).includes(JSON.stringify(text));

/** Reports whether all facts that are claimed were true at one time, by the states up to then; a text that decides nothing is one of the record. */
export function wereTrue(claimed: Snapshot, states: readonly Dated[]): boolean {
  const { status, levels, ...others } = claimed;
  if (status === 'gone' && !states.some(({ state }) => state.deleted)) return false;
  return states.some(({ state }) => {
    const facts = factsOf(state);
    return (
      (status === undefined || status === 'gone' || status === facts.status) &&
      (levels === undefined || sameLevels(levels, facts.levels)) &&
      Object.entries(others).every(([name, value]) =>
        name in facts ? value === facts[name as keyof Snapshot] : shows(state, value),
      )
    );
  });
}

/** Reports whether a milestone that no event reported had been reached, by the states and the milestones of the events up to then. */
export function wasReached(milestone: string, states: readonly Dated[], happened: ReadonlySet<string>): boolean {
  const deactivated = states.findIndex(({ state }) => state.kind === 'item' && state.deactivated);
  if (milestone === 'deactivated') return deactivated >= 0;
  if (milestone === 'reactivated') {
    return (
      states.slice(deactivated).some(({ state }) => state.kind === 'item' && !state.deactivated) && deactivated >= 0
    );
  }
  // What exists was created, and Dockline's clock is its own.
  return ['created', ...clockMilestones].includes(milestone) || happened.has(milestone);
}

/** Returns the milestone that leads to a stage. */
export const milestoneOf = (stage: string): string =>
  Object.entries(milestones).find(([, row]) => 'stage' in row && row.stage === stage)?.[0] ?? stage;
