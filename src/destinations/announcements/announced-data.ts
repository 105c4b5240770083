import { subjectKinds } from '../../domain/catalogue/subject.ts';
import type { Announcement, OutgoingAnnouncement } from '../../domain/outgoing.ts';
import { type MemberTexts, memberTexts, writeMembers } from './member-texts.ts';

/** Content type of a CloudEvent that is one JSON document. */
export const CLOUD_EVENT_TYPE = 'application/cloudevents+json; charset=utf-8';

/** Beginning of the last member of a recorded announcement. The attributes before it are texts, in which quotes are escaped. */
export const DATA = ',"data":';

/** Members of the records that announcements are about. */
export const ownMembers: readonly string[] = [...subjectKinds, 'orderItem'];

/** Reads the attributes of an announcement in UTF-8: everything but its data. */
export const attributesIn = (body: Buffer): Readonly<Record<string, string>> =>
  JSON.parse(`${body.toString('utf8', 0, body.indexOf(DATA))}}`);

/** Reads the members of a recorded announcement's data, each as its text. */
export const dataIn = ({ body }: Pick<Announcement, 'body'>): MemberTexts =>
  memberTexts(body.slice(body.indexOf(DATA) + DATA.length, -1));

/** Returns the body of a recorded announcement with other data. Everything else keeps its text. */
export const withData = ({ body }: Pick<Announcement, 'body'>, data: MemberTexts): string =>
  `${body.slice(0, body.indexOf(DATA) + DATA.length)}${writeMembers(data)}}`;

/** Returns an announcement as one destination gets it: its data begins with the revision of the one before, and says whether it is a replay. */
export const asSent = ({ body, previous, isReplay, ...announcement }: OutgoingAnnouncement): Announcement => {
  const start = body.indexOf(DATA) + DATA.length + 1;
  return {
    ...announcement,
    body: `${body.slice(0, start)}"previous":${previous},${isReplay ? '"replay":true,' : ''}${body.slice(start)}`,
  };
};

/** Reads which members are missing. */
export const missingIn = (data: MemberTexts): readonly string[] => JSON.parse(data.get('missing') ?? '[]');
