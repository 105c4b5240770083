import { createAdvise } from '../../../src/destinations/announcements/advice.ts';
import { asSent } from '../../../src/destinations/announcements/announced-data.ts';
import type { AnnouncementInput } from '../../../src/destinations/announcements/announcement-data.ts';
import { createAnnouncement } from '../../../src/destinations/announcements/cloud-event.ts';
import { catalogue } from '../../../src/domain/catalogue/catalogue.ts';
import { planEvent } from '../../../src/domain/catalogue/event.ts';
import {
  type AnnouncementType,
  announced,
  announcementTypes,
  type SubjectKind,
} from '../../../src/domain/catalogue/subject.ts';
import type { Deadline } from '../../../src/domain/deadlines/deadline.ts';
import { type Observed, unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { isLast, type Milestone, milestones } from '../../../src/domain/lifecycle/milestone.ts';
import { isOfClock, observeBatch, observeClock } from '../../../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import { exampleFacts, exampleIds, exampleResources, exampleShown } from './example-records.ts';

const START = Date.UTC(2026, 1, 11, 10);

const MINUTE = 60_000;

/** Composes an announcement of a type as a merchant would receive it: of a subject that has got as far as that usually happens. */
export function exampleOf(type: AnnouncementType): string {
  const { kind, milestone } = announcementTypes.get(type) ?? { kind: 'order', milestone: 'created' };
  let observed: Observed = { lifecycle: unknownLifecycle, changes: [] };
  for (const [index, one] of [...before(kind, milestone), milestone].entries()) {
    observed = observeOne(observed, { kind, milestone: one, time: START + index * MINUTE });
  }
  const [change] = observed.changes;
  if (!change) throw new Error(`${type} has no example`);
  const facts = exampleFacts(kind, observed.lifecycle);
  const subject = { tenant: '9104', kind, id: exampleIds[kind] };
  const resources = withoutUnnamed(exampleResources(kind, facts ?? {}), milestone);
  const isLine = change.event?.orderItemId !== undefined;
  const own = resources[isLine ? 'orderItem' : kind];
  const announcement = createAnnouncement({
    subject,
    advice: own && createAdvise()(subject, own, isLine),
    change,
    deadline: exampleDeadlines[kind],
    lifecycle: { ...observed.lifecycle, snapshot: facts },
    resources,
    resourceFrom: kind === 'hold' || kind === 'stock' ? 'message' : 'warehouse',
    missing: [],
  });
  return asSent({ ...announcement, previous: change.revision - 1 || null, isReplay: false }).body;
}

/** Deadlines by the rules of an example; the other kinds have none. */
const exampleDeadlines: { readonly [K in SubjectKind]?: Deadline } = {
  order: {
    dueAt: Date.UTC(2026, 1, 12, 1),
    atRiskAt: Date.UTC(2026, 1, 11, 23),
    ruleAt: Date.UTC(2026, 1, 11, 23),
    because:
      'same day: created 2026-02-11 02:00, before the cut-off at 14:00, due 2026-02-11 17:00 in America/Los_Angeles',
  },
};

/** Rank up to which milestones usually precede one that may come at any time. */
const usual: { readonly [M in Milestone]?: number } = {
  canceled: 1,
  deleted: 1,
  updated: 1,
  stalled: 3,
  resumed: 5,
  atRisk: 3,
  overdue: 3,
  recovered: 3,
};

/** Milestones that precede another in an example, in their order. */
function before(kind: SubjectKind, milestone: Milestone): Milestone[] {
  const rank = usual[milestone] ?? milestones[milestone].rank;
  const own = Object.keys(announced[kind]) as Milestone[];
  const passed = own.filter((one) => 'stage' in milestones[one] && !isLast(one) && milestones[one].rank < rank);
  return [...passed, ...(opposites[milestone] ?? [])];
}

/** Milestones that have to precede one which takes them back or ends them. */
const opposites: { readonly [M in Milestone]?: readonly Milestone[] } = {
  allocationLost: ['fullyAllocated'],
  pickerUnassigned: ['pickerAssigned'],
  excludedFromPickJob: ['picked'],
  itemUnpicked: ['itemPicked'],
  itemPacked: ['itemPicked'],
  itemUnpacked: ['itemPicked', 'itemPacked'],
  unconfirmed: ['confirmed'],
  resumed: ['stalled'],
  recovered: ['overdue'],
  reactivated: ['deactivated'],
  releasedFromHold: ['placedOnHold'],
};

/** Snapshots that show what no event reports. */
const shown: { readonly [M in Milestone]?: Snapshot } = {
  allocationLost: { fullyAllocated: false },
  deactivated: { deactivated: true },
  reactivated: { deactivated: false },
};

/** Observes one milestone by its event, or else by the record or the clock. */
function observeOne(
  { lifecycle }: Observed,
  { kind, milestone, time }: { readonly kind: SubjectKind; readonly milestone: Milestone; readonly time: number },
): Observed {
  if (isOfClock(milestone)) return observeClock(lifecycle, { milestone, time });
  const entry = catalogue.find(
    ({ subject, ...it }) =>
      it.milestone === milestone && (subject === kind || (subject === 'orderItem' && kind === 'order')),
  );
  const event = entry && planEvent(eventOf(kind, entry.subject, entry.name, time));
  const observed = observeBatch(lifecycle, {
    kind,
    events: event ? [event] : [],
    snapshot: (!event && shown[milestone]) || null,
    now: time,
  });
  return { ...observed, changes: observed.changes.filter((change) => change.milestone === milestone) };
}

const eventOf = (kind: SubjectKind, family: string, name: string, time: number) => ({
  id: `9104:${187_450_300 + (time - START) / MINUTE}`,
  name,
  time,
  userId: '2108',
  tenant: '9104',
  subject: kind,
  subjectId: exampleIds[kind],
  ...(family === 'orderItem' && { orderItemId: '310045810' }),
  ...(kind === 'stock' && { shown: exampleShown.stock }),
  ...(kind === 'hold' && { shown: { ...exampleShown.hold, onHold: name === 'InventoryPlaceOnHold' } }),
});

/** Leaves out the records that the events of a milestone do not name. */
function withoutUnnamed({ user, pickList, ...others }: Resources, milestone: Milestone): Resources {
  const plan = new Set(catalogue.filter((it) => it.milestone === milestone).flatMap(({ retrieves }) => retrieves));
  return {
    ...others,
    ...(user && plan.has('getUser') && { user }),
    ...(pickList && plan.has('getOrdersPicklist') && { pickList }),
  };
}

type Resources = AnnouncementInput['resources'];

/** File with the recorded examples, which the OpenAPI document has. */
export const file = 'tools/openapi/announcement-examples.json';

/** Returns the content of {@link file}: the announcement of every type, by its type. */
export function writeExamples(): string {
  const examples = [...announcementTypes.keys()].map((type) => [type, JSON.parse(exampleOf(type))]);
  return `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`;
}
