import { partKinds } from '../../domain/catalogue/enrichment.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import type { Announcement } from '../../domain/outgoing.ts';
import { dataIn, missingIn, ownMembers, withData } from './announced-data.ts';
import type { MemberTexts } from './member-texts.ts';

/** Announcement, maybe without some of its records. */
export interface AnnouncementForm {
  /** CloudEvent as structured JSON. */
  readonly body: string;
  /** Members whose records were left out; absent from the whole. */
  readonly leftOut?: readonly string[] | undefined;
}

/** Members of announcements that are records. */
const recordMembers: readonly string[] = [...subjectKinds, ...partKinds];

/** Returns the members whose records an announcement has. */
const recordsIn = (data: MemberTexts): readonly string[] =>
  recordMembers.filter((name) => data.has(name) && data.get(name) !== 'null');

/** Returns the record of a recorded announcement under a member, as its text; undefined if it has none. */
export function recordIn(announcement: Pick<Announcement, 'body'>, member: string): string | undefined {
  const data = dataIn(announcement);
  return recordsIn(data).includes(member) ? data.get(member) : undefined;
}

/**
 * Returns smaller forms of a recorded announcement: without its largest record, then without the two largest, at last without any. What is
 * left out is null and `missing`, and `recordsAt` says where each record can be fetched, `wholeAt` where all of it can be read. Everything
 * else keeps its text. The same announcement always has the same forms, and the same id in each.
 */
export function* thinnerForms(announcement: Announcement): Generator<AnnouncementForm, undefined> {
  const data = dataIn(announcement);
  const sizeOf = (name: string) => Buffer.byteLength(data.get(name) ?? '');
  const largestFirst = recordsIn(data).toSorted((one, other) => sizeOf(other) - sizeOf(one));
  for (const [index] of largestFirst.entries()) yield without(announcement, data, largestFirst.slice(0, index + 1));
}

/** Returns a recorded announcement without any record; as it is, if it has none. */
export function thinForm(announcement: Announcement): AnnouncementForm {
  const data = dataIn(announcement);
  const records = recordsIn(data);
  return records.length > 0 ? without(announcement, data, records) : announcement;
}

/** Returns an announcement without some of its records. */
function without(announcement: Announcement, data: MemberTexts, records: readonly string[]): AnnouncementForm {
  const leftOut = recordMembers.filter((name) => records.includes(name));
  const path = pathOf(announcement.id);
  const places = Object.fromEntries(leftOut.map((name) => [name, `/records/${path}/${name}`]));
  const rest = new Map([
    ...data,
    ...leftOut.map((name) => [name, 'null'] as const),
    ...(leftOut.some((name) => ownMembers.includes(name)) ? [['resourceFrom', 'null'] as const] : []),
    ['missing', JSON.stringify([...new Set([...missingIn(data), ...leftOut])])],
    ['recordsAt', JSON.stringify(places)],
    ['wholeAt', JSON.stringify(`/announcements/${path}`)],
  ]);
  return { body: withData(announcement, rest), leftOut };
}

/** Returns the id of an announcement as a path. */
const pathOf = (id: string): string =>
  id.toWellFormed().split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':');
