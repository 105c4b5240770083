import type { Announcement, AnnouncementInput } from '../../activities/ports.ts';
import { stageOf } from '../domain/stage.ts';
import { announcementId, subjectKey } from '../domain/subject.ts';

/**
 * The announcement of a change: a CloudEvent 1.0 in its structured JSON form, with the extensions `sequence` (the revision, as
 * a decimal number without padding) and `partitionkey` (the subject's key). Resources are embedded as they came, digit by digit.
 */
export function createAnnouncement(input: AnnouncementInput): Announcement {
  const { subject, change, resources } = input;
  const id = announcementId(subject, change);
  const data = withMembers(factsOf(input), {
    [subject.kind]: resources[subject.kind] ?? 'null',
    customer: resources.customer ?? 'null',
    user: resources.user ?? 'null',
    ...(subject.kind === 'order' && { pickList: resources.pickList ?? 'null' }),
  });
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
  return { id, revision: change.revision, body: withMembers(attributes, { data }) };
}

/** What a CloudEvent's `subject` begins with. */
const collectionOf = {
  order: 'orders',
  receipt: 'receipts',
  adjustment: 'adjustments',
  assembly: 'assemblies',
} as const;

function factsOf({ subject, change, lifecycle }: AnnouncementInput) {
  const { milestone, revision, late, cause, event } = change;
  return {
    ...subject,
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
