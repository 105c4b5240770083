import { setTimeout as pause } from 'node:timers/promises';
import type { Sources } from '../admin/views/view.ts';
import { retrievalOf, type SubjectRef } from '../domain/catalogue/subject.ts';
import { describeRefusal } from '../domain/lifecycle/gets.ts';
import type { SubjectView } from '../domain/lifecycle/standing.ts';
import { findSubject, type SubjectRow } from './views/subject/row.ts';

/** Rejects if Temporal does not answer. */
export interface SubjectControl {
  /** In a new run if the last one has completed; undefined if it takes too long. */
  refresh(subject: SubjectRef): Promise<SubjectView | undefined>;
  /** Undefined without a running workflow. */
  release(subject: SubjectRef, by: string): Promise<SubjectView | undefined>;
  /** Only marks that have not ended since. */
  undoRelease(subject: SubjectRef, by: string): Promise<SubjectView | undefined>;
}

export type Refreshed =
  | { readonly outcome: 'done'; readonly view: SubjectView }
  | { readonly outcome: 'failed'; readonly reason: string }
  | { readonly outcome: 'asked' };

/** Of questions to the store whether the GET has failed. */
const POLL_MS = 200;

/** The store reports a failing GET; the workflow, which retries, would wait for the end. */
export async function refresh(
  subject: SubjectRef,
  { control, reads }: Pick<Sources, 'reads'> & { readonly control: Pick<SubjectControl, 'refresh'> },
): Promise<Refreshed> {
  const attemptsBefore = attemptsOf(await findSubject({ reads }, subject));
  const ended = new AbortController();
  const failed = untilFailed(subject, { reads }, attemptsBefore, ended.signal);
  const view = await Promise.race([control.refresh(subject), failed]).finally(() => ended.abort());
  const after = await findSubject({ reads }, subject);
  const reason = failureOf(after);
  // An older failure is that of an earlier GET.
  const isOwn = view !== undefined || attemptsOf(after) > attemptsBefore;
  if (reason !== undefined && isOwn) return { outcome: 'failed', reason };
  return view === undefined ? { outcome: 'asked' } : { outcome: 'done', view };
}

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

function failureOf(subject: SubjectRow | undefined): string | undefined {
  const { kind, retrieving, refused = [] } = subject ?? {};
  if (retrieving) return describeRefusal({ ...retrieving, message: retrieving.error });
  const own = refused.find(({ operation }) => kind !== undefined && operation === retrievalOf[kind]);
  return own && describeRefusal(own);
}
