import { setTimeout as wait } from 'node:timers/promises';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import type { LiveSubject, SubjectControl } from '../../temporal/subject-control.ts';

/** Answer of a workflow, or the reason why there is none. */
export type Glimpse = { readonly live: LiveSubject } | { readonly live: null; readonly liveProblem: string };

export interface GlimpseDeps {
  readonly control: Pick<SubjectControl, 'look'>;
  readonly isOutage: (error: unknown) => boolean;
}

const without = (liveProblem: string): Glimpse => ({ live: null, liveProblem });

/** Asks the workflow of a subject. */
export async function askWorkflow(subject: SubjectRef, { control, isOutage }: GlimpseDeps): Promise<Glimpse> {
  try {
    const live = await control.look(subject);
    return live ? { live } : without('Temporal no longer has a workflow of the subject.');
  } catch (error) {
    if (isOutage(error)) return without('Temporal or its workers do not answer.');
    throw error;
  }
}

/** Time that a page waits for a workflow, and time that an answer holds, in milliseconds. */
const PATIENCE_MS = 500;
const HOLDS_MS = 2000;

/** Questions to workflows. */
interface Glimpses {
  /** Asks a subject's workflow, at most once in two seconds for all readers, and does not wait for long. */
  of(subject: SubjectRef): Promise<Glimpse>;
  /** Resolves when no question is open: the client must not be closed before. */
  settled(): Promise<void>;
}

export function createGlimpses(deps: GlimpseDeps): Glimpses {
  const answers = new Map<string, Promise<Glimpse>>();

  function answer(subject: SubjectRef): Promise<Glimpse> {
    const key = subjectKey(subject);
    const known = answers.get(key);
    if (known) return known;
    const asked = askWorkflow(subject, deps);
    answers.set(key, asked);
    const expire = () => void setTimeout(() => answers.delete(key), HOLDS_MS).unref();
    asked.then(expire, expire);
    return asked;
  }

  const late = (): Promise<Glimpse> =>
    wait(PATIENCE_MS, without('Its workflow does not answer at once.'), { ref: false });

  return {
    of: (subject) => Promise.race([answer(subject), late()]),
    settled: async () => void (await Promise.allSettled(answers.values())),
  };
}
