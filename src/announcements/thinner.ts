import type { Announcement } from '../../activities/ports/announcing.ts';
import { partKinds } from '../domain/catalogue/enrichment.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { DATA } from './binary-mode.ts';
import { memberTexts } from './member-texts.ts';

/** Announcement, maybe without some of its records. */
export interface AnnouncementForm {
  /** CloudEvent as structured JSON. */
  readonly body: string;
  /** Members whose records were left out; absent from the whole. */
  readonly leftOut?: readonly string[] | undefined;
}

const own: ReadonlySet<string> = new Set([...subjectKinds, 'orderItem']);
const all: readonly string[] = [...subjectKinds, ...partKinds];

/**
 * Returns smaller forms of a recorded announcement: without the record that it is about, then without any record. What is left out is null
 * and `missing`, and `wholeAt` says where all of it can be read. Everything else keeps its text. The same announcement always has the same
 * forms, and the same id in each.
 */
export function* thinnerForms({ id, body }: Announcement): Generator<AnnouncementForm, undefined> {
  const start = body.indexOf(DATA) + DATA.length;
  const members = memberTexts(body.slice(start, -1));
  const records = all.filter((name) => members.has(name) && members.get(name) !== 'null');
  const least = records.filter((name) => own.has(name));
  for (const leftOut of least.length === records.length ? [least] : [least, records]) {
    if (leftOut.length > 0) yield { body: `${body.slice(0, start)}${without(members, leftOut, id)}}`, leftOut };
  }
}

/** Returns the text of `data` without some records. */
function without(members: ReadonlyMap<string, string>, leftOut: readonly string[], id: string): string {
  const missing: readonly string[] = JSON.parse(members.get('missing') ?? '[]');
  const texts = new Map([
    ...members,
    ...leftOut.map((name) => [name, 'null'] as const),
    // If the record itself stays, there is none.
    ['resourceFrom', 'null'],
    ['missing', JSON.stringify([...new Set([...missing, ...leftOut])])],
    ['wholeAt', JSON.stringify(addressOf(id))],
  ]);
  return `{${[...texts].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** Path of an announcement in the administrative API. */
const addressOf = (id: string): string =>
  `/announcements/${id.toWellFormed().split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':')}`;
