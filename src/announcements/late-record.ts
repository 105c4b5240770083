import type { LateRecord } from '../../activities/ports/announcing.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { DATA } from './binary-mode.ts';
import { memberTexts } from './member-texts.ts';

/** Members of the records that announcements are about. */
const own: readonly string[] = [...subjectKinds, 'orderItem'];

const dataOf = (body: string): string => body.slice(body.indexOf(DATA) + DATA.length, -1);

/** Puts the record into announcements that were recorded without it, since the message that has it came later. */
export const lateRecord: LateRecord = {
  lackedBy({ body }) {
    if (!body.includes('"resourceFrom":null')) return undefined;
    const event = memberTexts(dataOf(body)).get('event') ?? 'null';
    return event === 'null' ? undefined : (JSON.parse(event) as { readonly id: string }).id;
  },

  /** Everything else keeps its text. */
  added({ body }, record) {
    const data = dataOf(body);
    const members = memberTexts(data);
    const name = own.find((one) => members.get(one) === 'null');
    if (name === undefined) return body;
    const missing = (JSON.parse(members.get('missing') ?? '[]') as readonly string[]).filter((one) => one !== name);
    const texts = new Map([
      ...members,
      ['resourceFrom', '"message"'],
      ['missing', JSON.stringify(missing)],
      [name, record],
    ]);
    if (missing.length === 0) texts.delete('missing');
    const written = [...texts].map(([member, text]) => `${JSON.stringify(member)}:${text}`).join(',');
    return `${body.slice(0, body.length - data.length - 1)}{${written}}}`;
  },
};
