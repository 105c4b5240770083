import { escaped } from '../../base/text.ts';
import { withoutSubject } from '../catalogue/subject.ts';
import type { AnnouncementResult } from '../outgoing.ts';
import { describeGets, describeRefusal, type GetResult, type Refused } from './gets.ts';
import type { Change } from './lifecycle.ts';

/** Temporal accepts summaries of 400 bytes, and some name two lists. */
const LIST = { items: 5, bytes: 120 } as const;
const ITEM_LIMIT = 40;

export function brief(items: readonly string[]): string {
  let shown = '';
  let count = 0;
  for (const item of items.slice(0, LIST.items)) {
    const longer = [shown, escaped(item, ITEM_LIMIT)].filter(Boolean).join(', ');
    if (count > 0 && new TextEncoder().encode(longer).length > LIST.bytes) break;
    [shown, count] = [longer, count + 1];
  }
  return items.length > count ? `${shown} and ${items.length - count} more` : shown;
}

/** Markdown. */
export function describeChange({ revision, milestone, time, cause, late, event }: Change): string {
  const source = event
    ? `${escaped(event.name)} (${escaped(event.id)})`
    : cause === 'snapshot'
      ? 'shown by the resource itself'
      : 'by the clock';
  return line(time, `**${milestone}** · revision ${revision} · ${source}${late ? ' · late' : ''}`);
}

export function describeRetrieval(
  time: number,
  { calls, refused }: { readonly calls: readonly GetResult[]; readonly refused: readonly Refused[] },
): string {
  const failures = refused.map((refusal) => ` · refused: ${escaped(describeRefusal(refusal))}`).join('');
  return line(time, `${describeGets(calls)}${failures}`);
}

export const describeFailure = (time: number, reason: string): string =>
  line(time, `failed at first · ${escaped(reason)}`);

export const describeRelease = (time: number, by: string): string => line(time, `**released** by ${escaped(by)}`);

export const describeUndo = (time: number, by: string): string => line(time, `**release undone** by ${escaped(by)}`);

export const describeCustomer = (time: number, before: string | undefined, now: string | undefined): string[] =>
  before === undefined || before === now ? [] : [line(time, `**customer** ${escaped(before)} → ${escaped(now ?? '')}`)];

export function describeResults(time: number, results: readonly Omit<AnnouncementResult, 'attempts'>[]): string[] {
  const sent = results.filter(({ deadLettered }) => deadLettered === undefined);
  const deadLettered = results.filter((result) => result.deadLettered !== undefined);
  return [
    ...(sent.length > 0 ? [line(time, `announced ${sent.map(describeResult).join(', ')}`)] : []),
    ...deadLettered.map((result) =>
      line(time, `**dead-lettered** ${withoutSubject(result.id)} · ${escaped(result.deadLettered ?? '')}`),
    ),
  ];
}

const describeResult = ({ id, status, ms, leftOut }: Omit<AnnouncementResult, 'attempts'>): string =>
  `${withoutSubject(id)} ${status ?? ''} (${ms} ms)${leftOut ? ` without ${leftOut.join(', ')}` : ''}`;

const line = (time: number, text: string): string => `- \`${new Date(time).toISOString()}\` ${text}`;
