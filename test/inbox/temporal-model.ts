import { setImmediate as turn } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { type Advanced, advance } from '../../activities/advance.ts';
import { type Announced, announce } from '../../activities/announce.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { type SubjectRef, subjectKey } from '../../src/domain/catalogue/subject.ts';
import type { Condition } from '../../src/inbox/patrol.ts';
import { Outage } from './dispatching.ts';
import type { Life } from './mortal.ts';

/** All that Temporal keeps of a workflow that runs. */
interface Kept {
  readonly subject: SubjectRef;
  readonly signals: number;
  readonly handled: number;
  readonly known: number | null;
  readonly outbox: readonly string[];
  readonly refused: readonly string[];
  readonly isWedged: boolean;
}

/** A workflow that runs, with what a worker has in hand. */
interface Execution {
  kept: Kept;
  readonly inHand: Set<Part>;
}

/** A worker, with the activities' dependencies as it reaches them. */
export interface Worker {
  readonly life: Life;
  readonly deps: ActivityDeps;
}

/** Something that a workflow does beside its other parts; what became of it is applied to what is kept by then. */
interface Part {
  readonly isDue: (kept: Kept) => boolean;
  readonly perform: (deps: ActivityDeps, kept: Kept) => Promise<(now: Kept) => Partial<Kept>>;
}

/** After this time the task of a worker that died is given to another one, and one that failed is tried again, in milliseconds. */
const LOST_MS = 10_000;
const RETRY_MS = 1000;

const fresh = (subject: SubjectRef): Kept => ({
  ...{ subject, signals: 1, handled: 0, known: null, outbox: [], refused: [], isWedged: false },
});

/** Temporal as far as Dockline depends on it, in memory, with what its workflows do; the activities are the real ones. */
export function createTemporal({ workerOf }: { readonly workerOf: () => Worker }) {
  let executions = new Map<string, Execution>();
  let copied = new Map<string, Kept>();
  const temporal = { mode: 'well' as 'well' | 'away' | 'mute' };

  function begin(kept: Kept): void {
    const execution = { kept, inHand: new Set<Part>() };
    executions.set(subjectKey(kept.subject), execution);
    go(execution);
  }

  const runs = (execution: Execution) => executions.get(subjectKey(execution.kept.subject)) === execution;

  function go(execution: Execution): void {
    if (!runs(execution) || execution.kept.isWedged) return;
    for (const part of parts) {
      if (!execution.inHand.has(part) && part.isDue(execution.kept)) void handOut(execution, part);
    }
  }

  async function handOut(execution: Execution, part: Part): Promise<void> {
    const { life, deps } = workerOf();
    execution.inHand.add(part);
    const release = () => {
      clearInterval(watch);
      execution.inHand.delete(part);
      go(execution);
    };
    const watch = setInterval(() => {
      if (life.isOver) release();
    }, LOST_MS);
    try {
      const change = await part.perform(deps, execution.kept);
      execution.kept = { ...execution.kept, ...change(execution.kept) };
      release();
    } catch {
      setTimeout(release, RETRY_MS);
    }
  }

  async function call(): Promise<void> {
    await turn();
    if (temporal.mode === 'away') throw new Outage('away');
  }

  return {
    temporal,
    async wake(subject: SubjectRef): Promise<void> {
      await call();
      const execution = executions.get(subjectKey(subject));
      if (execution) execution.kept = { ...execution.kept, signals: execution.kept.signals + 1 };
      if (execution) go(execution);
      else begin(fresh(subject));
      if (temporal.mode === 'mute') throw new Outage('it did, and nobody heard');
    },
    async look(subject: SubjectRef): Promise<Condition> {
      await call();
      const execution = executions.get(subjectKey(subject));
      if (!execution) return 'gone';
      if (execution.kept.isWedged) return 'wedged';
      return execution.inHand.size > 0 ? 'busy' : 'asleep';
    },
    async end(subject: SubjectRef): Promise<void> {
      await call();
      executions.delete(subjectKey(subject));
    },
    /** It is terminated, canceled or deleted, which comes to the same. */
    stop: (subject: SubjectRef) => void executions.delete(subjectKey(subject)),
    reset(subject: SubjectRef): void {
      if (executions.has(subjectKey(subject))) begin(fresh(subject));
    },
    wedge(subject: SubjectRef): void {
      const execution = executions.get(subjectKey(subject));
      if (execution) execution.kept = { ...execution.kept, isWedged: true };
    },
    lose: () => executions.clear(),
    copy(): void {
      copied = new Map([...executions].map(([key, { kept }]) => [key, kept]));
    },
    /** Puts back what was copied last. */
    restore(): void {
      executions = new Map();
      for (const kept of copied.values()) begin(kept);
    },
  };
}

const processing: Part = {
  isDue: ({ signals, handled }) => signals > handled,
  async perform(deps, { subject, signals, known, outbox }) {
    const isFirst = outbox.length === 0;
    const input = { subject, known, refresh: false, retrieve: false, lingerMs: 0, announce: isFirst };
    const advanced = (await environment().run(advance, deps, input)) as Advanced;
    if (!('recorded' in advanced)) throw new Error('there is nothing to retrieve');
    const { recorded, announced } = advanced;
    const left = announced?.left ?? recorded.announce;
    return (now) => ({
      handled: recorded.waiting.length > 0 ? signals - 1 : signals,
      known: recorded.standing.revision,
      outbox: [...now.outbox, ...left.filter((id) => ![...now.outbox, ...now.refused].includes(id))],
      refused: [...now.refused, ...(announced?.refused ?? [])],
    });
  },
};

const announcing: Part = {
  isDue: ({ outbox }) => outbox.length > 0,
  async perform(deps, { subject, outbox: ids }) {
    const { refused } = await send(deps, { subject, ids });
    return (now) => ({
      outbox: now.outbox.filter((id) => !ids.includes(id)),
      refused: [...now.refused, ...refused],
    });
  },
};

const announcingAgain: Part = {
  isDue: ({ refused }) => refused.length > 0,
  async perform(deps, { subject, refused: ids }) {
    await send(deps, { subject, ids, each: true });
    return (now) => ({ refused: now.refused.filter((id) => !ids.includes(id)) });
  },
};

const parts: readonly Part[] = [processing, announcing, announcingAgain];

const send = (deps: ActivityDeps, input: Parameters<typeof announce>[1]): Promise<Announced> =>
  environment().run(announce, deps, input) as Promise<Announced>;

/** It would print each failure. */
const logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const environment = () => new MockActivityEnvironment({}, { logger });
