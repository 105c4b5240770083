import { endOfValue } from '../../base/untrusted-json.ts';
import { partKinds } from '../../domain/catalogue/enrichment.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { withoutMembers, withoutPaths } from '../../domain/kinds/advice.ts';
import type { Announcement, Extent, OutgoingAnnouncement } from '../../domain/outgoing.ts';

export const CLOUD_EVENT_TYPE = 'application/cloudevents+json; charset=utf-8';

/** Begins the last member of a recorded announcement. The attributes before it are texts, in which quotes are escaped. */
export const DATA = ',"data":';

export const ownMembers: readonly string[] = [...subjectKinds, 'orderItem'];

export const attributesIn = (body: Buffer): Readonly<Record<string, string>> =>
  JSON.parse(`${body.toString('utf8', 0, body.indexOf(DATA))}}`);

export const dataIn = ({ body }: Pick<Announcement, 'body'>): MemberTexts =>
  memberTexts(body.slice(body.indexOf(DATA) + DATA.length, -1));

export const withData = ({ body }: Pick<Announcement, 'body'>, data: MemberTexts): string =>
  `${body.slice(0, body.indexOf(DATA) + DATA.length)}${writeMembers(data)}}`;

export const asSent = ({ body, previous, isReplay, ...announcement }: OutgoingAnnouncement): Announcement => {
  const start = body.indexOf(DATA) + DATA.length + 1;
  return {
    ...announcement,
    body: `${body.slice(0, start)}"previous":${previous},${isReplay ? '"replay":true,' : ''}${body.slice(start)}`,
  };
};

export const missingIn = (data: MemberTexts): readonly string[] => JSON.parse(data.get('missing') ?? '[]');

/** By name: the text of each value. */
export type MemberTexts = ReadonlyMap<string, string>;

/** Builds no values: parsing takes ten times as long, and rounds numbers. No space may be around names and commas. */
function memberTexts(object: string): MemberTexts {
  const members = new Map<string, string>();
  for (let at = 1; at < object.length - 1; ) {
    const colon = endOfValue(object, at);
    const end = endOfValue(object, colon + 1);
    members.set(JSON.parse(object.slice(at, colon)), object.slice(colon + 1, end));
    at = end + 1;
  }
  return members;
}

const writeMembers = (members: MemberTexts): string =>
  `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

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
