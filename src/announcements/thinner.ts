import type { Announcement } from '../../activities/ports/announcing.ts';
import { partKinds } from '../domain/catalogue/enrichment.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { dataIn, missingIn, ownMembers, withData } from './announced-data.ts';
import type { MemberTexts } from './member-texts.ts';

/** Announcement, maybe without some of its records. */
export interface AnnouncementForm {
  /** CloudEvent as structured JSON. */
  readonly body: string;
  /** Members whose records were left out; absent from the whole. */
  readonly leftOut?: readonly string[] | undefined;
}

const all: readonly string[] = [...subjectKinds, ...partKinds];

/**
 * Returns smaller forms of a recorded announcement: without the record that it is about, then without any record. What is left out is null
 * and `missing`, and `wholeAt` says where all of it can be read. Everything else keeps its text. The same announcement always has the same
 * forms, and the same id in each.
 */
export function* thinnerForms(announcement: Announcement): Generator<AnnouncementForm, undefined> {
  const data = dataIn(announcement);
  const records = all.filter((name) => data.has(name) && data.get(name) !== 'null');
  const least = records.filter((name) => ownMembers.includes(name));
  for (const leftOut of least.length === records.length ? [least] : [least, records]) {
    if (leftOut.length > 0) yield { body: withData(announcement, without(data, leftOut, announcement.id)), leftOut };
  }
}

/** Returns the data without some records. */
function without(data: MemberTexts, leftOut: readonly string[], id: string): MemberTexts {
  return new Map([
    ...data,
    ...leftOut.map((name) => [name, 'null'] as const),
    // If the record itself stays, there is none.
    ['resourceFrom', 'null'],
    ['missing', JSON.stringify([...new Set([...missingIn(data), ...leftOut])])],
    ['wholeAt', JSON.stringify(addressOf(id))],
  ]);
}

/** Path of an announcement in the administrative API. */
const addressOf = (id: string): string =>
  `/announcements/${id.toWellFormed().split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':')}`;
