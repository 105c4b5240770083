import type { Announcement, AnnouncementInput } from '../../activities/ports.ts';
import { announcementId, collectionOf, subjectKey } from '../domain/catalogue/subject.ts';
import { progressOf } from '../domain/lifecycle/progress.ts';
import { stageOf } from '../domain/lifecycle/stage.ts';

/**
 * The announcement of a change: a CloudEvent 1.0 in its structured JSON form, with the extensions `sequence` (the revision, as
 * a decimal number without padding) and `partitionkey` (the subject's key). Resources are embedded as they came, digit by digit.
 */
export function createAnnouncement(input: AnnouncementInput): Announcement {
  const { subject, change } = input;
  const id = announcementId(subject, change);
  const attributes = {
    specversion: '1.0',
    id,
    source: `/dockline/${encodeURIComponent(subject.tenant)}`,
    type: `dockline.${subject.kind}.${change.milestone}`,
    subject: `${collectionOf[subject.kind]}/${subject.id}`,
    time: new Date(change.time).toISOString(),
    datacontenttype: 'application/json',
    sequence: String(change.revision),
    partitionkey: subjectKey(subject),
  };
  const data = withMembers({ ...factsOf(input), ...lineFactsOf(input) }, resourcesOf(input));
  return { id, revision: change.revision, body: withMembers(attributes, { data }) };
}

function factsOf({ subject, change, lifecycle }: AnnouncementInput) {
  const { milestone, revision, late, cause, event, coalesced, before, after } = change;
  return {
    ...subject,
    milestone,
    revision,
    stage: stageOf(lifecycle),
    inferred: cause === 'snapshot',
    late,
    cause,
    event: event ? { id: event.id, name: event.name, time: new Date(event.time).toISOString() } : null,
    ...(coalesced !== undefined && { coalesced }),
    ...(after ? { before: before ?? null, after } : { snapshot: lifecycle.snapshot }),
  };
}

/** How far an order's lines are, in total and, where the event is about one, in that. */
function lineFactsOf({ subject, change, lifecycle }: AnnouncementInput) {
  if (subject.kind !== 'order') return {};
  const { byLine, ...progress } = progressOf(lifecycle);
  const orderItemId = change.event?.orderItemId;
  return { progress, ...(orderItemId && { orderItemId, ...byLine[orderItemId] }) };
}

/** An event of one line carries that line rather than the order, of which it may be one of hundreds. */
function resourcesOf({ subject, change, resources }: AnnouncementInput): Record<string, string> {
  const own = change.event?.orderItemId ? 'orderItem' : subject.kind;
  return {
    [own]: resources[own] ?? 'null',
    customer: resources.customer ?? 'null',
    user: resources.user ?? 'null',
    ...(subject.kind === 'order' && { pickList: resources.pickList ?? 'null' }),
  };
}

/** Appends members that are JSON text already: to parse them would round large numbers. */
function withMembers(json: object, members: Readonly<Record<string, string>>): string {
  const appended = Object.entries(members).map(([name, text]) => `,${JSON.stringify(name)}:${text}`);
  return `${JSON.stringify(json).slice(0, -1)}${appended.join('')}}`;
}
