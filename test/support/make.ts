import type { PlannedEvent, WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import { completeFacts } from '../../src/domain/catalogue/record-facts.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { Decision } from '../../src/domain/decision.ts';
import type { SavedSubject } from '../../src/domain/lifecycle/attention.ts';
import {
  type Lifecycle,
  type Registers,
  type ReportingEvent,
  unknownLifecycle,
} from '../../src/domain/lifecycle/lifecycle.ts';
import { type Milestone, registerOf } from '../../src/domain/lifecycle/milestone.ts';
import type { Lease, Outgoing } from '../../src/domain/outgoing.ts';
import type { Entry, QuarantineReason } from '../../src/domain/quarantine.ts';

/** Names an order of the account that most tests use. */
export const orderOf = (id: string) => ({ tenant: '9104', kind: 'order', id }) as const;

/** Order that most tests of the store use. */
export const order = orderOf('1');

/** A received item that is put on hold and released again and again. */
export const hold = { tenant: '9104', kind: 'hold', id: '880' } as const;

/** Creates a lifecycle of which nothing else is known. */
export const lifecycleOf = (known: Partial<Lifecycle>): Lifecycle => ({ ...unknownLifecycle, ...known });

/** Creates a lifecycle at a revision. */
export const lifecycleAt = (revision: number, rest: Partial<Lifecycle> = {}): Lifecycle =>
  lifecycleOf({ revision, lastEventTime: revision * 1000, ...rest });

/** Creates the registers of a subject that has reached milestones, all at the first millisecond. */
export const reached = (...milestones: readonly Milestone[]): Registers =>
  Object.fromEntries(milestones.map((milestone) => [registerOf(milestone), { milestone, time: 1, eventId: null }]));

/** Creates a subject as the store keeps it, by default after its first revision. */
export const savedOf = (rest: Partial<SavedSubject> = {}): SavedSubject => ({
  lifecycle: lifecycleAt(1),
  stageSince: 1,
  refused: [],
  isUnannounced: false,
  ...rest,
});

/** Creates an event that reports a milestone, by default at as many milliseconds as its number says. */
export const eventOf = (id: number, milestone: Milestone, rest: Partial<PlannedEvent> = {}): ReportingEvent => ({
  id: `9104:${id}`,
  name: milestone,
  time: id,
  plan: [],
  ...rest,
  milestone,
});

/** Creates an entry for an order's event, as the webhook does. */
export function entryOf(orderId: string, eventNumber: number, name = 'OrderUpdate'): Entry {
  const id = `9104:${eventNumber}`;
  const event: WarehouseEvent = { id, tenant: '9104', name, subject: 'order', subjectId: orderId, time: eventNumber };
  return {
    eventId: id,
    endpoint: 'warehouse',
    tenant: '9104',
    subjectKey: `order:9104:${orderId}`,
    event,
    receivedAt: eventNumber,
    body: Buffer.from(`{"n":${eventNumber}}`),
  };
}

/** Creates an entry for a delivery that is quarantined for a reason, or with a name that nobody knows. */
export function quarantinedEntry(eventId: string, given: QuarantineReason | string = 'X'): Entry {
  const quarantineReason: QuarantineReason =
    typeof given === 'string' ? { code: 'unknownName', name: given, families: ['order'] } : given;
  return { eventId, endpoint: 'warehouse', tenant: '9104', quarantineReason, receivedAt: 1, body: Buffer.from('{}') };
}

/** Makes the deadline of a rule that puts its orders at risk two hours before. */
export const deadlineAt = (dueAt: number, because = 'same day') => {
  const ruleAt = dueAt - 7_200_000;
  return { dueAt, atRiskAt: ruleAt, ruleAt, because };
};

/** Names an announcement for the destination that most tests use. */
export const toDefault = (id: string): Outgoing => ({ id, destination: 'default' });

/** Names an attempt of a process that has not leased it. */
export const unleased = (id: string): Lease => ({
  ...toDefault(id),
  previous: null,
  isReplay: false,
  leasedUntil: null,
});

/** Creates the announcement of a subject's revision. */
export const announcementOf = (revision: number, { tenant, kind, id }: SubjectRef = order) => ({
  id: `${kind}:${tenant}:${id}/${revision}/updated`,
  revision,
  body: `{"n":${revision}}`,
  summary: `line ${revision}`,
  destinations: ['default'],
});

/** Creates a decision, by default for a first revision. */
export const decisionOf = ({
  announcements = [],
  routedNow: late,
  leaseMs,
  retrieved = false,
  retrieval,
  ...saved
}: Partial<SavedSubject & Omit<Decision, 'announcements'>> & {
  /** By default they are of the customer of the subject. */
  readonly announcements?: readonly Unowned<Decision['announcements'][number]>[];
  readonly leaseMs?: number | undefined;
} = {}): Decision => ({
  saved: savedOf({ customerId: customerOf(saved), facts: factsIn(saved.lifecycle), ...saved }),
  announcements: announcements.map((it) => ({ ...it, customerId: it.customerId ?? customerOf(saved) ?? null })),
  routedNow: late,
  ...(leaseMs !== undefined && { leaseMsOf: () => leaseMs }),
  retrieval,
  retrieved,
});

type Unowned<T extends { readonly customerId: unknown }> = Omit<T, 'customerId'> & Partial<Pick<T, 'customerId'>>;

const customerOf = ({ customerId, lifecycle }: Partial<SavedSubject>) => customerId ?? lifecycle?.snapshot?.customerId;

/** Returns the facts that a lifecycle knows; undefined for none. */
function factsIn({ snapshot }: Partial<Lifecycle> = {}) {
  const facts = completeFacts({}, snapshot ?? {});
  return Object.keys(facts).length > 0 ? facts : undefined;
}

/** Makes the settings of a destination that gets POSTs. */
export const destinationOf = <Own extends { readonly url: string; readonly secret: readonly string[] }>(own: Own) => ({
  name: 'default',
  headers: {},
  tls: {},
  detail: 'full' as const,
  ...own,
});
