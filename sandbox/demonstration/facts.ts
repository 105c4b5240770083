import { milestones } from '../../src/domain/lifecycle/milestone.ts';
import { clockMilestones } from '../../src/domain/lifecycle/observe.ts';
import { type Snapshot, sameLevels } from '../../src/domain/lifecycle/snapshot.ts';
import { kindOf, type SubjectState } from '../simulator/kinds/kinds.ts';
import { requestedSections } from '../simulator/resources/sections.ts';
import { showPlainly } from '../simulator/resources/subject.ts';
import type { Dated } from '../simulator/state/book.ts';

/** Returns the facts that a record of this state shows. */
const factsOf = (state: SubjectState): Snapshot => ({
  customerId: String(state.customer.id),
  customerName: state.customer.name,
  ...('facility' in state && { facilityId: String(state.facility.id), facilityName: state.facility.name }),
  ...kindOf(state.kind).facts(state),
});

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
  const isOut = states.map(({ state }) => 'deactivated' in state && state.deactivated);
  if (milestone === 'deactivated') return isOut.includes(true);
  if (milestone === 'reactivated') return isOut.lastIndexOf(false) > isOut.indexOf(true) && isOut.includes(true);
  // What exists was created, and Dockline's clock is its own.
  return ['created', ...clockMilestones].includes(milestone) || happened.has(milestone);
}

/** Returns the milestone that leads to a stage. */
export const milestoneOf = (stage: string): string =>
  Object.entries(milestones).find(([, row]) => 'stage' in row && row.stage === stage)?.[0] ?? stage;
