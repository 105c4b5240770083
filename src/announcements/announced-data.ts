import { subjectKinds } from '../domain/catalogue/subject.ts';
import type { Announcement, OutgoingAnnouncement } from '../domain/outgoing.ts';
import { DATA } from './binary-mode.ts';
import { type MemberTexts, memberTexts, writeMembers } from './member-texts.ts';

/** Members of the records that announcements are about. */
export const ownMembers: readonly string[] = [...subjectKinds, 'orderItem'];

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
