import type { Announcement, AnnouncementInput } from '../../activities/ports.ts';
import { announcementId, orderKey } from '../domain/order-id.ts';
import { stageOf } from '../domain/stage.ts';

/**
 * The announcement of a change: a CloudEvent 1.0 in its structured JSON form, with the extensions `sequence` (the revision, as
 * a decimal number without padding) and `partitionkey` (the order). Resources are embedded as they came, digit by digit.
 */
export function createAnnouncement(input: AnnouncementInput): Announcement {
  const { order, change, resources } = input;
  const id = announcementId(order, change);
  const data = withMembers(factsOf(input), {
    order: resources.order ?? 'null',
    user: resources.user ?? 'null',
    pickList: resources.pickList ?? 'null',
  });
  const attributes = {
    specversion: '1.0',
    id,
    source: `/dockline/${encodeURIComponent(order.tenant)}`,
    type: `dockline.order.${change.milestone}`,
    subject: `orders/${order.orderId}`,
    time: new Date(change.time).toISOString(),
    datacontenttype: 'application/json',
    sequence: String(change.revision),
    partitionkey: orderKey(order),
  };
  return { id, revision: change.revision, body: withMembers(attributes, { data }) };
}

function factsOf({ order, change, lifecycle }: AnnouncementInput) {
  const { milestone, revision, late, cause, event } = change;
  return {
    tenant: order.tenant,
    orderId: order.orderId,
    milestone,
    revision,
    stage: stageOf(lifecycle),
    inferred: cause === 'snapshot',
    late,
    cause,
    event: event ? { id: event.id, name: event.name, time: new Date(event.time).toISOString() } : null,
    snapshot: lifecycle.snapshot,
  };
}

/** Appends members that are JSON text already: to parse them would round large numbers. */
function withMembers(json: object, members: Readonly<Record<string, string>>): string {
  const appended = Object.entries(members).map(([name, text]) => `,${JSON.stringify(name)}:${text}`);
  return `${JSON.stringify(json).slice(0, -1)}${appended.join('')}}`;
}
