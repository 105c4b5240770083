import { withoutSubject } from '../catalogue/subject.ts';
import type { Change } from './lifecycle.ts';
import { describeRefusal, type Refused } from './refusal.ts';

/** GETs of a retrieval, with a status of null for those without an answer, and those that could not be had. */
interface RetrievalSummary {
  readonly calls: readonly { readonly operation: string; readonly status: number | null; readonly ms: number }[];
  readonly refused: readonly Refused[];
}

/** Result of an announcement: `leftOut` names the records that its destination did not get, `deadLettered` is the reason for giving it up. */
interface AnnouncementSummary {
  readonly id: string;
  readonly status: number | null;
  readonly ms: number | null;
  readonly leftOut?: readonly string[];
  readonly deadLettered?: string;
}

/** Abbreviates a list: Temporal accepts summaries of 200 bytes. */
export function brief(items: readonly string[]): string {
  const shown = items.slice(0, 5).join(', ');
  return items.length > 5 ? `${shown} and ${items.length - 5} more` : shown;
}

/** Describes a change in one line of Markdown: time, milestone and cause. */
export function describeChange({ revision, milestone, time, cause, late, event }: Change): string {
  const source = event
    ? `${event.name} (${event.id})`
    : cause === 'snapshot'
      ? 'shown by the resource itself'
      : 'by the clock';
  return line(time, `**${milestone}** · revision ${revision} · ${source}${late ? ' · late' : ''}`);
}

/** Describes the GETs of a retrieval, and the refusals, in one line of Markdown. */
export function describeRetrieval(time: number, { calls, refused }: RetrievalSummary): string {
  const gets = calls.map(({ operation, status, ms }) => `${operation} ${status ?? 'failed'} (${ms} ms)`);
  const failures = refused.map((refusal) => ` · refused: ${describeRefusal(refusal)}`).join('');
  return line(time, `fetched ${gets.join(', ') || 'nothing new'}${failures}`);
}

/** Describes an attempt that failed and is followed by others in one line of Markdown. */
export const describeFailure = (time: number, reason: string): string => line(time, `failed at first · ${reason}`);

/** Describes that an operator cleared the marks for attention in one line of Markdown. */
export const describeRelease = (time: number, by: string): string => line(time, `**released** by ${by}`);

/** Describes results of announcements: one line of Markdown for those acknowledged, one for each that was dead-lettered. */
export function describeResults(time: number, results: readonly AnnouncementSummary[]): string[] {
  const sent = results.filter(({ deadLettered }) => deadLettered === undefined);
  const deadLettered = results.filter((result) => result.deadLettered !== undefined);
  return [
    ...(sent.length > 0 ? [line(time, `announced ${sent.map(describeResult).join(', ')}`)] : []),
    ...deadLettered.map((result) =>
      line(time, `**dead-lettered** ${withoutSubject(result.id)} · ${result.deadLettered}`),
    ),
  ];
}

const describeResult = ({ id, status, ms, leftOut }: AnnouncementSummary): string =>
  `${withoutSubject(id)} ${status ?? ''} (${ms} ms)${leftOut ? ` without ${leftOut.join(', ')}` : ''}`;

const line = (time: number, text: string): string => `- \`${new Date(time).toISOString()}\` ${text}`;
