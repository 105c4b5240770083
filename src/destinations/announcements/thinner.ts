import { partKinds } from '../../domain/catalogue/enrichment.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { withoutMembers, withoutPaths } from '../../domain/kinds/advice.ts';
import type { Announcement, Extent } from '../../domain/outgoing.ts';
import { dataIn, type MemberTexts, missingIn, ownMembers, withData } from './announced-data.ts';

export interface AnnouncementForm {
  readonly body: string;
  readonly leftOut?: readonly string[] | undefined;
}

/** Member that most receivers read, so that it is left out last. */
const ADVICE = 'advice';

const recordMembers: readonly string[] = [...subjectKinds, ...partKinds, ADVICE];

const recordsIn = (data: MemberTexts): readonly string[] =>
  recordMembers.filter((name) => data.has(name) && data.get(name) !== 'null');

export function recordIn(announcement: Pick<Announcement, 'body'>, member: string): string | undefined {
  const data = dataIn(announcement);
  return recordsIn(data).includes(member) ? data.get(member) : undefined;
}

/** Without the largest record, then the two largest, at last any; `recordsAt` says where each can be fetched. Always the same forms. */
export function* thinnerForms(announcement: Announcement): Generator<AnnouncementForm, undefined> {
  const data = dataIn(announcement);
  const sizeOf = (name: string) => (name === ADVICE ? -1 : Buffer.byteLength(data.get(name) ?? ''));
  const largestFirst = recordsIn(data).toSorted((one, other) => sizeOf(other) - sizeOf(one));
  for (const [index] of largestFirst.entries()) yield without(announcement, data, largestFirst.slice(0, index + 1));
}

/** With the advice, unless thin, but for omitted members, which cannot be fetched either. Unchanged if it has none of that. */
export function recordlessForm(announcement: Announcement, { detail, omit = [] }: Extent): AnnouncementForm {
  const whole = dataIn(announcement);
  const data = omit.length > 0 ? withoutOmitted(whole, omit) : whole;
  const records = recordsIn(data).filter((name) => name !== ADVICE || detail === 'thin');
  if (records.length > 0) return without(announcement, data, records, omit.length === 0);
  return data === whole ? announcement : { body: withData(announcement, data) };
}

function withoutOmitted(data: MemberTexts, omit: readonly string[]): MemberTexts {
  const leaveOut = { [ADVICE]: withoutMembers, changed: withoutPaths } as const;
  return new Map(
    [...data].map(([name, text]) => {
      const from = leaveOut[name as keyof typeof leaveOut];
      return [name, from ? JSON.stringify(from(JSON.parse(text), omit)) : text];
    }),
  );
}

function without(
  announcement: Announcement,
  data: MemberTexts,
  records: readonly string[],
  canFetch = true,
): AnnouncementForm {
  const leftOut = recordMembers.filter((name) => name !== ADVICE && records.includes(name));
  const path = pathOf(announcement.id);
  const places = Object.fromEntries(leftOut.map((name) => [name, `/records/${path}/${name}`]));
  const rest = new Map([
    ...data,
    ...leftOut.map((name) => [name, 'null'] as const),
    ...(leftOut.some((name) => ownMembers.includes(name)) ? [['resourceFrom', 'null'] as const] : []),
    ['missing', JSON.stringify([...new Set([...missingIn(data), ...leftOut])])],
    ...(canFetch ? [['recordsAt', JSON.stringify(places)] as const] : []),
    ['wholeAt', JSON.stringify(`/announcements/${path}`)],
  ]);
  if (records.includes(ADVICE)) for (const name of [ADVICE, 'changed']) rest.delete(name);
  return { body: withData(announcement, rest), leftOut };
}

const pathOf = (id: string): string =>
  id.toWellFormed().split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':');
