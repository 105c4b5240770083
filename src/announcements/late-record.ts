import type { LateRecord } from '../../activities/ports/announcing.ts';
import { dataIn, missingIn, ownMembers, withData } from './announced-data.ts';

/** Puts the record into announcements that were recorded without it, since the message that has it came later. */
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
};
