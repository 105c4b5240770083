import type { ResourceKind } from '../../src/domain/catalogue/enrichment.ts';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../src/domain/kinds/kinds.ts';
import { type AdviceCheck, checkAdvice } from './advices.ts';
import { type Case, openCase, type Witnesses } from './case.ts';
import { isExcused } from './excuses.ts';
import { milestoneOf, wasReached, wereTrue } from './facts.ts';

/** Names everything in the announcements of a run that its book does not bear out; announcements of other runs are skipped. */
export function findFalsehoods(witnesses: Witnesses): string[] {
  const { simulator, receiver } = witnesses;
  const subjects = new Map(simulator.truth().map((subject) => [subjectKey(subject), subject]));
  const found = receiver.received().flatMap((received) => {
    const subject = subjects.get(received.id.split('/')[0] ?? '');
    return subject ? falsehoodsIn(openCase(received, subject, simulator), witnesses) : [];
  });
  const { authorized } = simulator.counts().elsewhere;
  return authorized > 0 ? [...found, `${authorized} GETs brought their token to another host`] : found;
}

function falsehoodsIn(it: Case, witnesses: Witnesses): string[] {
  const claims = [
    ...eventIn(it),
    ...factsIn(it),
    ...recordsIn(it),
    ...missingIn(it, witnesses),
    ...adviceIn(it, witnesses),
  ];
  return claims.map((claim) => `${it.received.id}: ${claim}`);
}

/** Compares the event, or else the milestone, with what had happened. */
function eventIn({ received: { content }, event, states, happened }: Case): string[] {
  if (!content.event) return wasReached(content.milestone, states, happened) ? [] : ['it has not happened'];
  if (!event) return [`the event ${content.event.id} ${content.event.name} is not in the book`];
  return event.milestone === content.milestone ? [] : [`its event is ${event.milestone}`];
}

function factsIn({ received: { content }, states, happened }: Case): string[] {
  const wrong = content.facts.filter((facts) => !wereTrue(facts, states));
  const isReached = wasReached(milestoneOf(content.stage), states, happened);
  return [
    ...(isReached ? [] : [`it was never ${content.stage}`]),
    ...wrong.map((facts) => `it never was ${JSON.stringify(facts)}`),
  ];
}

/** Embedded records are those of the subject or its line, and of what belonged to it. */
function recordsIn(it: Case): string[] {
  const records = Object.entries(it.received.content.records) as [ResourceKind, string | null][];
  return records
    .filter(([member, id]) => id !== null && !idsOf(it, member).includes(id))
    .map(([member, id]) => `its ${member} is that of ${id || 'nothing'}`);
}

const checked = new WeakMap<Case['received'], AdviceCheck>();

/** The book of what was received does not change, and comparing takes long. */
function adviceOf(it: Case, { simulator }: Witnesses): AdviceCheck {
  const known = checked.get(it.received);
  if (known) return known;
  const { advice, orderItemId, resourceFrom } = it.received.content;
  const isWhole = orderItemId === undefined && ['warehouse', 'earlier'].includes(resourceFrom ?? '');
  const states = it.states.map(({ state }) => state);
  const found = isWhole ? checkAdvice(advice ?? {}, states, !simulator.manners().omitStatus) : { quantities: 0 };
  checked.set(it.received, found);
  return found;
}

/** Counts the quantities of advices that were compared as falsehoods were searched for. */
export const countQuantities = ({ receiver }: Pick<Witnesses, 'receiver'>): number =>
  receiver.received().reduce((sum, received) => sum + (checked.get(received)?.quantities ?? 0), 0);

function adviceIn(it: Case, witnesses: Witnesses): readonly string[] {
  const { problem } = adviceOf(it, witnesses);
  return problem === undefined ? [] : [problem];
}

function idsOf({ received: { content }, subject, states }: Case, member: ResourceKind): readonly string[] {
  const orders = states.flatMap(({ state }) => (state.kind === mainKind ? [state] : []));
  switch (member) {
    case 'orderItem': {
      const lines = orders.flatMap((order) => order.lines.map(({ orderItemId }) => String(orderItemId)));
      return lines.filter((line) => line === content.orderItemId);
    }
    case 'customer':
      return states.map(({ state }) => String(state.customer.id));
    case 'user':
      return states.map(({ state }) => String(state.lastModifiedBy.id));
    case 'pickList':
      return orders.flatMap(({ pickJobs }) => pickJobs.map(({ id }) => String(id)));
    default:
      return [subject.id];
  }
}

/** A record that is null belongs among the missing, whether the announcement says so or not. */
function missingIn(it: Case, witnesses: Witnesses): string[] {
  const { kind, orderItemId, records, missing } = it.received.content;
  const own = orderItemId === undefined ? kind : 'orderItem';
  const isNamed = it.received.content.facts.some(({ customerId }) => customerId !== undefined);
  const others = [
    ...(records[own] === null ? [own] : []),
    ...(records.customer === null && isNamed ? ['customer'] : []),
  ];
  const all = [...new Set([...missing, ...others])] as ResourceKind[];
  return all.filter((member) => !isExcused(member, it, witnesses)).map((member) => `its ${member} is missing`);
}
