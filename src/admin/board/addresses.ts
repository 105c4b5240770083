import { collectionOf, type SubjectKind, type SubjectRef } from '../../domain/catalogue/subject.ts';
import { capitalized } from './text.ts';

/** Returns the address of a subject's page. */
export const subjectAddress = ({ tenant, kind, id }: SubjectRef): string =>
  `/board/subjects/${[tenant, kind, id].map(encodeURIComponent).join('/')}`;

/** Returns the address of an announcement's page. */
export const announcementAddress = (id: string): string =>
  `/board/announcements/${id.split('/').map(encodeURIComponent).join('/')}`;

/** Returns the address of a list, without the fields that are absent. */
export function listAddress(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Name of a kind of subjects, for headings. */
export const titleOf = (kind: SubjectKind): string => capitalized(collectionOf[kind]);

/** Name of one subject, such as `Order 31004581`. */
export const nameOf = ({ kind, id }: SubjectRef): string => `${capitalized(kind)} ${id}`;
