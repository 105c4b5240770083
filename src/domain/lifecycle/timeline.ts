import { withoutSubject } from '../catalogue/subject.ts';
import type { Change } from './lifecycle.ts';

/** What a line tells of GETs: each with its status, null where there was no answer, and what was refused for good. */
interface ToldRetrieval {
  readonly calls: readonly { readonly operation: string; readonly status: number | null; readonly ms: number }[];
  readonly refused: readonly string[];
}

/** What a line tells of an announcement; `deadLettered` is why it was given up. */
interface ToldResult {
  readonly id: string;
  readonly status: number | null;
  readonly ms: number | null;
  readonly deadLettered?: string;
}

/** A list in few words: Temporal takes summaries of 200 bytes. */
export function brief(items: readonly string[]): string {
  const shown = items.slice(0, 5).join(', ');
  return items.length > 5 ? `${shown} and ${items.length - 5} more` : shown;
}

/** One line of Markdown for one change: when, what, and what told of it. */
export function describeChange({ revision, milestone, time, cause, late, event }: Change): string {
  const told = event
    ? `${event.name} (${event.id})`
    : cause === 'snapshot'
      ? 'shown by the resource itself'
      : 'by the clock';
  return line(time, `**${milestone}** · revision ${revision} · ${told}${late ? ' · late' : ''}`);
}

/** One line of Markdown for the GETs of a retrieval and what was refused. */
export function describeRetrieval(time: number, { calls, refused }: ToldRetrieval): string {
  const gets = calls.map(({ operation, status, ms }) => `${operation} ${status ?? 'failed'} (${ms} ms)`);
  const failures = refused.map((refusal) => ` · refused: ${refusal}`).join('');
  return line(time, `fetched ${gets.join(', ') || 'nothing new'}${failures}`);
}

/** One line of Markdown for an attempt that failed and is followed by others. */
export const describeFailure = (time: number, reason: string): string => line(time, `failed at first · ${reason}`);

/** One line of Markdown for each outcome of announcements: what the destination acknowledged, and what was given up. */
export function describeResults(time: number, results: readonly ToldResult[]): string[] {
  const sent = results.filter(({ deadLettered }) => deadLettered === undefined);
  const deadLettered = results.filter((result) => result.deadLettered !== undefined);
  return [
    ...(sent.length > 0 ? [line(time, `announced ${sent.map(describeResult).join(', ')}`)] : []),
    ...deadLettered.map((result) =>
      line(time, `**dead-lettered** ${withoutSubject(result.id)} · ${result.deadLettered}`),
    ),
  ];
}

const describeResult = ({ id, status, ms }: ToldResult): string => `${withoutSubject(id)} ${status ?? ''} (${ms} ms)`;

const line = (time: number, text: string): string => `- \`${new Date(time).toISOString()}\` ${text}`;
