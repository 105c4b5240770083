import type { LateRecord } from '../../activities/ports/announcing.ts';
import { dataIn, missingIn, ownMembers, withData } from './announced-data.ts';
import type { MemberTexts } from './member-texts.ts';

/** Puts records into announcements that were recorded without them, since the message that has it came later, and takes them out. */
export const lateRecord: LateRecord = {
  lackedBy(announcement) {
    if (!announcement.body.includes('"resourceFrom":null')) return undefined;
    const event: { readonly id: string } | null = JSON.parse(dataIn(announcement).get('event') ?? 'null');
    return event?.id;
  },

  added(announcement, record) {
    const data = new Map(dataIn(announcement));
    const name = ownMembers.find((one) => data.get(one) === 'null');
    if (name === undefined) return announcement.body;
    const missing = missingIn(data).filter((one) => one !== name);
    data.set('resourceFrom', '"message"').set('missing', JSON.stringify(missing)).set(name, record);
    if (missing.length === 0) data.delete('missing');
    return withData(announcement, data);
  },

  recordOf(announcement) {
    const data = dataIn(announcement);
    const text = data.get(ownMemberIn(data) ?? '');
    return text === 'null' ? undefined : text;
  },

  removed(announcement) {
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

const ownMemberIn = (data: MemberTexts): string | undefined => ownMembers.find((one) => data.has(one));
