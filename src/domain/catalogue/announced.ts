import type { Milestone } from '../lifecycle/milestone.ts';
import type { SubjectKind } from './subject.ts';

/** Milestones of what is due, by the rules for deadlines. */
const dated = {
  atRisk: 'It may miss its deadline: see `data.deadline`. Never inferred; the clock says it.',
  overdue: 'Its deadline has passed. `late` is true if that was more than five minutes ago.',
  recovered: 'It was at risk or overdue and is so no longer: it is done, or its deadline has moved.',
} as const;

/**
 * Milestones that are announced of each kind, each in a merchant's words. A kind has those of its events, those that its record shows,
 * and those of the clock, which watches stages of orders and deadlines. The documentation, the OpenAPI document and the package for consumers are compared with it.
 */
export const announced = {
  order: {
    created: 'The warehouse has the order. It may come late, after other events, or be inferred.',
    completed: 'The order is complete: the warehouse may start to work on it. Never inferred: no field shows it.',
    updated: 'Somebody saved a change. `data.order` has the state after it, `data.user` who did it.',
    fullyAllocated: 'Stock is reserved for every line.',
    allocationLost: 'Stock is no longer reserved for every line.',
    pickerAssigned: 'Somebody was assigned to pick it. Never inferred.',
    pickerUnassigned: 'The picker was removed. Never inferred.',
    excludedFromPickJob: 'It was taken out of its pick job, and counts as not picked.',
    picked: 'Its pick job is done. That does not prove that every line was picked: see `progress`.',
    itemPicked: 'One line was picked.',
    itemUnpicked: 'The picking of one line was undone.',
    packStarted: 'Packing has begun.',
    itemPacked: 'One line was put into a package.',
    itemUnpacked: 'One line was taken out of a package.',
    packed: 'Everything is packed. Not shipped yet.',
    confirmed: 'Shipped: the warehouse has closed the order.',
    unconfirmed: 'The closed order was reopened; it counts as not shipped.',
    canceled: 'The order was canceled.',
    deleted: "The order was removed from the warehouse's database.",
    stalled: 'The order has been in its stage for longer than `ORDER_STAGE_LIMITS` allows.',
    resumed: 'A stalled order has moved to another stage.',
    ...dated,
  },
  receipt: {
    created: 'The warehouse expects a delivery of goods.',
    completed: 'The receipt is complete. Never inferred.',
    updated: 'Somebody saved a change.',
    confirmed: 'The goods are in: the receipt is closed.',
    unconfirmed: 'The closed receipt was reopened.',
    canceled: 'The receipt was canceled.',
    deleted: "The receipt was removed from the warehouse's database.",
    ...dated,
  },
  adjustment: {
    created: 'Somebody began to correct stock.',
    updated: 'The correction was changed.',
    completed: 'The correction was marked as complete: it counts.',
    canceled: 'The correction was canceled.',
    deleted: "The correction was removed from the warehouse's database.",
    ...dated,
  },
  assembly: {
    created: 'The warehouse is to assemble items into another.',
    updated: 'The assembly was changed.',
    completed: 'The assembly was marked as complete: it is done.',
    canceled: 'The assembly was canceled.',
    deleted: "The assembly was removed from the warehouse's database.",
    ...dated,
  },
  item: {
    created: 'The warehouse knows a new item (SKU).',
    updated: "The item's record was changed.",
    deactivated: 'The item is out of use.',
    reactivated: 'The item is in use again.',
    deleted: "The item was removed from the warehouse's database.",
  },
  stock: {
    changed:
      'The amount on hand, available, allocated or on hold of one item, with one qualifier, in one facility has changed.',
  },
  hold: {
    placedOnHold: 'A received item must not be used for now.',
    releasedFromHold: 'It may be used again.',
  },
} as const satisfies { readonly [K in SubjectKind]: { readonly [M in Milestone]?: string } };

type Announced = typeof announced;

/** Type of an announcement: `dockline.order.packed`. */
export type AnnouncementType = {
  [K in SubjectKind]: `dockline.${K}.${keyof Announced[K] & string}`;
}[SubjectKind];

/** Meaning of a type of announcements. */
export interface AnnouncedType {
  readonly kind: SubjectKind;
  readonly milestone: Milestone;
  /** Sentences in Markdown. */
  readonly words: string;
}

/** Types of announcements with their meanings, kind by kind. */
export const announcementTypes = new Map(
  Object.entries(announced).flatMap(([kind, milestones]) =>
    Object.entries(milestones).map(([milestone, words]): [AnnouncementType, AnnouncedType] => [
      `dockline.${kind}.${milestone}` as AnnouncementType,
      { kind: kind as SubjectKind, milestone: milestone as Milestone, words },
    ]),
  ),
);

/** Reports whether the clock watches the stages of a kind: only then is it announced that a subject has stalled. */
export const isWatched = (kind: SubjectKind): boolean => 'stalled' in announced[kind];
