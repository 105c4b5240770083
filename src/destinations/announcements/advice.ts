import { isObject, parseJson } from '../../base/json.ts';
import { kindOf, type SubjectRef } from '../../domain/catalogue/subject.ts';
import { advicePlaces, changedMembers, readAdvice } from '../../domain/kinds/advice.ts';
import { readOrderLineAdvice } from '../../domain/kinds/order/advice.ts';
import type { Places } from '../../domain/kinds/section.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import type { Announcement } from '../../domain/outgoing.ts';
import { dataIn, type MemberTexts, missingIn, ownMembers, withData } from './announced-data.ts';

/** Of a subject, or of one line of an order, which is announced by itself. JSON texts both. */
export type Advise = (
  subject: Pick<SubjectRef, 'tenant' | 'kind'>,
  record: string,
  isLine: boolean,
) => string | undefined;

export const createAdvise =
  (placesOf: (tenant: string) => Places = () => advicePlaces): Advise =>
  ({ tenant, kind }, record, isLine) => {
    const value = parseJson(record);
    if (!isObject(value)) return undefined;
    const places = placesOf(tenant);
    return JSON.stringify(isLine ? readOrderLineAdvice(value, places) : readAdvice(kind, value, places));
  };

const compared: readonly Milestone[] = ['updated', 'confirmed'];

/** `newest` reads the body of the announcement before. Undefined where they are not compared, or that had no advice. */
export async function changedSince(
  { kind }: Pick<SubjectRef, 'kind'>,
  milestone: Milestone,
  advice: string | undefined,
  newest: () => Promise<string | undefined>,
): Promise<readonly string[] | undefined> {
  if (advice === undefined || !kindOf(kind).namesChanges || !compared.includes(milestone)) return undefined;
  const body = await newest();
  const before = body && dataIn({ body }).get('advice');
  return before ? changedMembers(JSON.parse(before), JSON.parse(advice)) : undefined;
}

/** The record of the subject itself in an announcement. */
export const announcedRecord = {
  of(announcement: Pick<Announcement, 'body'>): string | undefined {
    const data = dataIn(announcement);
    const text = data.get(ownMemberIn(data) ?? '');
    return text === 'null' ? undefined : text;
  },

  removed(announcement: Pick<Announcement, 'body'>): string {
    const data = new Map(dataIn(announcement));
    const name = ownMemberIn(data);
    if (name === undefined) return announcement.body;
    data
      .set('resourceFrom', 'null')
      .set('missing', JSON.stringify([...new Set([...missingIn(data), name])]))
      .set(name, 'null');
    data.delete('advice');
    data.delete('changed');
    return withData(announcement, data);
  },
};

export type AnnouncedRecord = typeof announcedRecord;

const ownMemberIn = (data: MemberTexts): string | undefined => ownMembers.find((one) => data.has(one));
