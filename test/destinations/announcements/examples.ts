import { createAdvise } from '../../../src/destinations/announcements/advice.ts';
import type { AnnouncementInput } from '../../../src/destinations/announcements/announcement-data.ts';
import { catalogue } from '../../../src/domain/catalogue/catalogue.ts';
import { planEvent } from '../../../src/domain/catalogue/event.ts';
import { announced, type SubjectKind, subjectKinds } from '../../../src/domain/catalogue/subject.ts';
import { type Observed, unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { isOfClock, observeBatch, observeClock } from '../../../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';

const START = Date.UTC(2026, 1, 11, 10);

const names = { referenceNumber: 'PO-1', customerId: '418', customerName: 'Acme', facilityId: '12' };
const progress = { fullyAllocated: false, pickDone: false, packStarted: false, packDone: false };
const order: Snapshot = { status: 'open', ...names, facilityName: 'East', ...progress, lineCount: 4, pickJobId: '71' };
const levels = { totalReceived: 10, allocated: 1, available: 8, onHold: 1, onHand: 10 };
const stock: Snapshot = { facilityId: '12', referenceNumber: 'TEA', levels };

const movements: readonly Snapshot[] = [
  { status: 'open', completed: false, ...names },
  { status: 'closed', completed: true },
  { status: 'gone' },
];

/** Snapshots that show, one after the other, everything that a GET can show of a kind. */
const shownOf: Record<SubjectKind, readonly Snapshot[]> = {
  order: [
    order,
    { ...order, fullyAllocated: true, pickDone: true, packStarted: true, packDone: true, status: 'closed' },
    order,
    { ...order, status: 'canceled' },
    { status: 'gone' },
  ],
  receipt: [{ status: 'open', ...names }, { status: 'closed' }, { status: 'open' }, { status: 'gone' }],
  adjustment: movements,
  assembly: movements,
  item: [{ deactivated: true, referenceNumber: 'TEA', customerId: '418' }, { deactivated: false }, { status: 'gone' }],
  stock: [stock, { ...stock, levels: { ...levels, onHand: 9 } }],
  hold: [],
};

const eventsOf = (kind: SubjectKind) =>
  catalogue
    .filter(({ subject }) => subject === kind || (kind === 'order' && subject === 'orderItem'))
    .map(({ subject, name }, index) => ({
      id: `9104:${index + 1}`,
      name,
      time: START + index * 60_000,
      userId: '2108',
      tenant: '9104',
      subject: kind,
      subjectId: '31004581',
      ...(subject === 'orderItem' && { orderItemId: '310' }),
      ...(kind === 'hold' && { shown: { onHold: index === 0 } }),
      ...(kind === 'stock' && { shown: { ...stock, levels: { ...levels, onHand: 7 } } }),
    }))
    .flatMap((event) => planEvent(event) ?? []);

const deadline = {
  dueAt: START,
  atRiskAt: START - 3_600_000,
  ruleAt: START - 3_600_000,
  because: 'same day: created 2026-02-11 10:00',
};

/** Observations of one subject: each event alone, some late or coalesced; then every snapshot; then the clock. */
function* observationsOf(kind: SubjectKind): Generator<Observed> {
  let lifecycle = unknownLifecycle;
  const keep = (observed: Observed) => {
    lifecycle = observed.lifecycle;
    return observed;
  };
  const batch = { kind, snapshot: null, now: START };
  const [first, ...others] = eventsOf(kind);
  for (const event of others) yield keep(observeBatch(lifecycle, { ...batch, events: [event] }));
  const twice = first ? [first, { ...first, id: '9104:90', time: first.time + 1 }] : [];
  yield keep(observeBatch(lifecycle, { ...batch, events: twice }));
  for (const snapshot of shownOf[kind]) yield keep(observeBatch(lifecycle, { ...batch, events: [], snapshot }));
  const ofClock = (Object.keys(announced[kind]) as Milestone[]).filter(isOfClock);
  for (const milestone of ofClock) yield keep(observeClock(lifecycle, { milestone, time: START }));
}

const bodies = Object.fromEntries(
  [...subjectKinds, 'orderItem', 'customer', 'user', 'pickList'].map((kind) => [kind, `{"${kind}":1.10}`]),
);

const advise = createAdvise();

/** Changes of one subject of each kind: every event of the catalogue, and every change that no event reports. */
export const examples: readonly AnnouncementInput[] = subjectKinds.flatMap((kind) =>
  [...observationsOf(kind)].flatMap(({ lifecycle, changes }, index) =>
    changes.map((change) => ({
      subject: { tenant: '9104', kind, id: '31004581' },
      change,
      lifecycle,
      ...(isOfClock(change.milestone) && { deadline }),
      ...(index % 2
        ? { resources: {}, resourceFrom: null, missing: [change.event?.orderItemId ? 'orderItem' : kind] as const }
        : {
            resources: bodies,
            advice: advise({ tenant: '9104', kind }, bodies[kind] ?? '{}', false),
            resourceFrom: change.event?.shown ? 'message' : 'warehouse',
            missing: [] as const,
          }),
    })),
  ),
);
