import { endOfValue } from '../../base/untrusted-json.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import type { Announcement, OutgoingAnnouncement } from '../../domain/outgoing.ts';

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
