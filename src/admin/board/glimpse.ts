import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import type { LiveSubject, SubjectControl } from '../ports.ts';

/** What a workflow said, or why it said nothing. */
export type Glimpse = { readonly live: LiveSubject } | { readonly problem: 'gone' | 'late' | 'outage' };

/** How long a page waits for a workflow, and for how long an answer holds, in milliseconds. */
const PATIENCE_MS = 500;
const HOLDS_MS = 2000;

/** Creates a function that asks a subject's workflow, at most once in two seconds for all readers, and does not wait for long. */
export function createGlimpse({
  look,
  isOutage,
}: {
  readonly look: SubjectControl['look'];
  readonly isOutage: (error: unknown) => boolean;
}): (subject: SubjectRef) => Promise<Glimpse> {
  const answers = new Map<string, Promise<Glimpse>>();

  async function ask(subject: SubjectRef): Promise<Glimpse> {
    try {
      const live = await look(subject);
      return live ? { live } : { problem: 'gone' };
    } catch (error) {
      if (isOutage(error)) return { problem: 'outage' };
      throw error;
    }
  }

  function answer(subject: SubjectRef): Promise<Glimpse> {
    const key = subjectKey(subject);
    const known = answers.get(key);
    if (known) return known;
    const asked = ask(subject);
    answers.set(key, asked);
    const forget = () => void setTimeout(() => answers.delete(key), HOLDS_MS).unref();
    asked.then(forget, forget);
    return asked;
  }

  return (subject) =>
    Promise.race([
      answer(subject),
      new Promise<Glimpse>((resolve) => void setTimeout(() => resolve({ problem: 'late' }), PATIENCE_MS).unref()),
    ]);
}
