import type { Change } from '../src/domain/lifecycle.ts';

/** How many lines the Temporal UI shows. */
const TIMELINE_LIMIT = 60;

/** A list in few words: Temporal takes summaries of 200 bytes. */
export function brief(items: readonly string[]): string {
  const shown = items.slice(0, 5).join(', ');
  return items.length > 5 ? `${shown} and ${items.length - 5} more` : shown;
}

/** An announcement's id without its subject: `3/packed`. */
export const withoutSubject = (id: string): string => id.split('/').slice(1).join('/');

/** The newest lines. */
export const shorten = (timeline: readonly string[]): string[] => timeline.slice(-TIMELINE_LIMIT);

/** One line of Markdown for one change: when, what, and what told of it. */
export function describeChange({ revision, milestone, time, cause, late, event }: Change): string {
  const told = event
    ? `${event.name} (${event.id})`
    : cause === 'snapshot'
      ? 'shown by the resource itself'
      : 'by the clock';
  return line(time, `**${milestone}** · revision ${revision} · ${told}${late ? ' · late' : ''}`);
}

/** One line of Markdown for what a retrieval brought and what was refused. */
export function describeRetrieval(time: number, fetched: readonly string[], refused: readonly string[]): string {
  const failures = refused.map((refusal) => ` · refused: ${refusal}`).join('');
  return line(time, `fetched ${fetched.join(', ')}${failures}`);
}

/** One line of Markdown for announcements that the destination acknowledged. */
export function describeAnnouncements(time: number, ids: readonly string[]): string {
  return line(time, `announced ${ids.map(withoutSubject).join(', ')}`);
}

/** One line of Markdown for announcements that the destination never took. */
export function describeGivingUp(time: number, ids: readonly string[], reason: string): string {
  return line(time, `**parked** ${ids.map(withoutSubject).join(', ')} · ${reason}`);
}

const line = (time: number, text: string): string => `- \`${new Date(time).toISOString()}\` ${text}`;
