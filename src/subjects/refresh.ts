import { setTimeout as pause } from 'node:timers/promises';
import type { SubjectView } from '../../workflows/messages.ts';
import type { Sources } from '../admin/views/view.ts';
import { retrievalOf, type SubjectRef } from '../domain/catalogue/subject.ts';
import type { SubjectControl } from '../temporal/subject-control.ts';
import { findSubject, type SubjectRow } from './views/subject/row.ts';

/** Result of a refresh: the warehouse answered, or failed for a reason, or has not answered yet. */
export type Refreshed =
  | { readonly outcome: 'done'; readonly view: SubjectView }
  | { readonly outcome: 'failed'; readonly reason: string }
  | { readonly outcome: 'asked' };

/** Interval at which the store is asked whether the GET has failed, in milliseconds. */
const POLL_MS = 200;

/**
 * Fetches a subject now, and says what came of it. A GET that fails is retried by itself, so that its failure is known from the store and
 * not from the workflow, which waits for its end.
 */
export async function refresh(
  subject: SubjectRef,
  { control, reads }: Pick<Sources, 'reads'> & { readonly control: Pick<SubjectControl, 'refresh'> },
): Promise<Refreshed> {
  const attemptsBefore = attemptsOf(await findSubject({ reads }, subject));
  const ended = new AbortController();
  const failed = untilFailed(subject, { reads }, attemptsBefore, ended.signal);
  const view = await Promise.race([control.refresh(subject), failed]).finally(() => ended.abort());
  const reason = failureOf(await findSubject({ reads }, subject));
  if (reason !== undefined) return { outcome: 'failed', reason };
  return view === undefined ? { outcome: 'asked' } : { outcome: 'done', view };
}

/** Resolves when the GET has failed once more, or the signal ends the wait. */
async function untilFailed(
  subject: SubjectRef,
  sources: Pick<Sources, 'reads'>,
  attemptsBefore: number,
  signal: AbortSignal,
): Promise<undefined> {
  while (!signal.aborted) {
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    const known = signal.aborted ? undefined : await findSubject(sources, subject);
    if (attemptsOf(known) > attemptsBefore) return;
  }
}

const attemptsOf = (subject: SubjectRow | undefined): number => subject?.retrieving?.attempts ?? 0;

/** Returns why the record itself could not be had: its GET fails and is retried, or was refused. */
function failureOf(subject: SubjectRow | undefined): string | undefined {
  const { kind, retrieving, refused = [] } = subject ?? {};
  if (retrieving) return `${retrieving.operation}: ${retrieving.error}`;
  return refused.find((refusal) => kind !== undefined && refusal.startsWith(`${retrievalOf[kind]}: `));
}
