import type { Announcement } from '../../domain/outgoing.ts';
import { dataIn, missingIn, ownMembers, withData } from './announced-data.ts';
import type { MemberTexts } from './member-texts.ts';

/** Puts records into announcements that were recorded without them, since the message that has it came later, and takes them out. */
export const lateRecord = {
  /** Returns the id of the event whose message may have the record that an announcement lacks; undefined if it lacks none. */
  lackedBy(announcement: Announcement): string | undefined {
    if (!announcement.body.includes('"resourceFrom":null')) return undefined;
    const event: { readonly id: string } | null = JSON.parse(dataIn(announcement).get('event') ?? 'null');
    return event?.id;
  },

  /** Returns the body of an announcement with its record, as JSON text. */
  added(announcement: Announcement, record: string): string {
    const data = new Map(dataIn(announcement));
    const name = ownMembers.find((one) => data.get(one) === 'null');
    if (name === undefined) return announcement.body;
    const missing = missingIn(data).filter((one) => one !== name);
    data.set('resourceFrom', '"message"').set('missing', JSON.stringify(missing)).set(name, record);
    if (missing.length === 0) data.delete('missing');
    return withData(announcement, data);
  },

  /** Returns the record that an announcement is about, as JSON text; undefined if it has none. */
  recordOf(announcement: Pick<Announcement, 'body'>): string | undefined {
    const data = dataIn(announcement);
    const text = data.get(ownMemberIn(data) ?? '');
    return text === 'null' ? undefined : text;
  },

  /** Returns the body of an announcement without the record that it is about. */
  removed(announcement: Pick<Announcement, 'body'>): string {
    const data = new Map(dataIn(announcement));
    const name = ownMemberIn(data);
    if (name === undefined) return announcement.body;
    data
      .set('resourceFrom', 'null')
      .set('missing', JSON.stringify([...new Set([...missingIn(data), name])]))
      .set(name, 'null');
    return withData(announcement, data);
  },
};

export type LateRecord = typeof lateRecord;

const ownMemberIn = (data: MemberTexts): string | undefined => ownMembers.find((one) => data.has(one));
