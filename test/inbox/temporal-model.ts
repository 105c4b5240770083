import { setImmediate as turn } from 'node:timers/promises';
import { advance } from '../../activities/advance.ts';
import { type Announced, announce } from '../../activities/announce.ts';
import type { ActivityDeps } from '../../activities/ports/deps.ts';
import { type SubjectRef, subjectKey } from '../../src/domain/catalogue/subject.ts';
import type { OutgoingIds } from '../../src/domain/outgoing.ts';
import type { WorkflowState } from '../../src/inbox/patrol.ts';
import { quietEnvironment } from '../activities/deps.ts';
import type { Host } from './crashable.ts';
import { Outage } from './dispatching.ts';

/** State of a running workflow in Temporal. */
interface State {
  readonly subject: SubjectRef;
  readonly signals: number;
  readonly handled: number;
  readonly known: number | null;
  readonly outbox: OutgoingIds;
  readonly refused: OutgoingIds;
  readonly isWedged: boolean;
}

/** Running workflow with its parts in progress. */
interface Execution {
  state: State;
  readonly inProgress: Set<Part>;
}

/** Worker with the dependencies of its activities. */
export interface Worker {
  readonly host: Host;
  readonly deps: ActivityDeps;
}

/** Concurrent part of a workflow; its result is applied to the state at that time. */
interface Part {
  readonly isDue: (state: State) => boolean;
  readonly perform: (deps: ActivityDeps, state: State) => Promise<(now: State) => Partial<State>>;
}

/** Delays until the task of a crashed worker is reassigned and until a failed one is retried, in milliseconds. */
const REASSIGN_MS = 10_000;
const RETRY_MS = 1000;

const fresh = (subject: SubjectRef): State => ({
  subject,
  signals: 1,
  handled: 0,
  known: null,
  outbox: {},
  refused: {},
  isWedged: false,
});

/** Creates an in-memory model of Temporal and the workflows, which announce to the named destinations; the activities are real. */
export function createTemporal({
  workerOf,
  destinations,
}: {
  readonly workerOf: () => Worker;
  readonly destinations: readonly string[];
}) {
  const parts = [processing, ...destinations.flatMap((name) => [announcing(name), announcingAgain(name)])];
  let executions = new Map<string, Execution>();
  let copied = new Map<string, State>();
  const temporal = { mode: 'well' as 'well' | 'down' | 'mute' };

  function begin(state: State): void {
    const execution = { state, inProgress: new Set<Part>() };
    executions.set(subjectKey(state.subject), execution);
    schedule(execution);
  }

  const runs = (execution: Execution) => executions.get(subjectKey(execution.state.subject)) === execution;

  function schedule(execution: Execution): void {
    if (!runs(execution) || execution.state.isWedged) return;
    for (const part of parts) {
      if (!execution.inProgress.has(part) && part.isDue(execution.state)) void perform(execution, part);
    }
  }

  async function perform(execution: Execution, part: Part): Promise<void> {
    const { host, deps } = workerOf();
    execution.inProgress.add(part);
    const release = () => {
      clearInterval(watch);
      execution.inProgress.delete(part);
      schedule(execution);
    };
    const watch = setInterval(() => {
      if (host.hasCrashed) release();
    }, REASSIGN_MS);
    try {
      const change = await part.perform(deps, execution.state);
      execution.state = { ...execution.state, ...change(execution.state) };
      release();
    } catch {
      setTimeout(release, RETRY_MS);
    }
  }

  async function call(): Promise<void> {
    await turn();
    if (temporal.mode === 'down') throw new Outage('down');
  }

  return {
    temporal,
    async wake(subject: SubjectRef): Promise<void> {
      await call();
      const execution = executions.get(subjectKey(subject));
      if (execution) execution.state = { ...execution.state, signals: execution.state.signals + 1 };
      if (execution) schedule(execution);
      else begin(fresh(subject));
      if (temporal.mode === 'mute') throw new Outage('the answer is lost');
    },
    async look(subject: SubjectRef): Promise<WorkflowState> {
      await call();
      const execution = executions.get(subjectKey(subject));
      if (!execution) return 'gone';
      if (execution.state.isWedged) return 'wedged';
      return execution.inProgress.size > 0 ? 'busy' : 'idle';
    },
    async end(subject: SubjectRef): Promise<void> {
      await call();
      executions.delete(subjectKey(subject));
    },
    /** Models termination, cancellation and deletion. */
    stop: (subject: SubjectRef) => void executions.delete(subjectKey(subject)),
    reset(subject: SubjectRef): void {
      if (executions.has(subjectKey(subject))) begin(fresh(subject));
    },
    wedge(subject: SubjectRef): void {
      const execution = executions.get(subjectKey(subject));
      if (execution) execution.state = { ...execution.state, isWedged: true };
    },
    lose: () => executions.clear(),
    copy(): void {
      copied = new Map([...executions].map(([key, { state }]) => [key, state]));
    },
    /** Restores the last copy. */
    restore(): void {
      executions = new Map();
      for (const state of copied.values()) begin(state);
    },
  };
}

const processing: Part = {
  isDue: ({ signals, handled }) => signals > handled,
  async perform(deps, { subject, signals, known, outbox }) {
    const busy = Object.keys(outbox);
    const input = { subject, known, refresh: false, retrieve: false, lingerMs: 0, announce: true, busy };
    const advanced = await quietEnvironment().run(advance, deps, input);
    if (!('recorded' in advanced)) throw new Error('there is nothing to retrieve');
    const { recorded, announced } = advanced;
    return (now) => {
      let { outbox, refused } = now;
      for (const destination of Object.keys({ ...recorded.announce, ...announced })) {
        const left = announced[destination]?.left ?? recorded.announce[destination] ?? [];
        const known = [...(outbox[destination] ?? []), ...(refused[destination] ?? [])];
        outbox = changed(outbox, destination, (ids) => [...ids, ...left.filter((id) => !known.includes(id))]);
        refused = changed(refused, destination, (ids) => [...ids, ...(announced[destination]?.refused ?? [])]);
      }
      const handled = recorded.waiting.length > 0 ? signals - 1 : signals;
      return { handled, known: recorded.standing.revision, outbox, refused };
    };
  },
};

/** Changes the ids of a destination, which is left out if it has none. */
function changed(
  queues: OutgoingIds,
  destination: string,
  change: (ids: readonly string[]) => readonly string[],
): OutgoingIds {
  const { [destination]: ids = [], ...others } = queues;
  const left = change(ids);
  return left.length > 0 ? { ...others, [destination]: left } : others;
}

const announcing = (destination: string): Part => ({
  isDue: ({ outbox }) => destination in outbox,
  async perform(deps, { subject, outbox: { [destination]: ids = [] } }) {
    const { refused } = await send(deps, { subject, destination, ids });
    return (now) => ({
      outbox: changed(now.outbox, destination, (left) => left.filter((id) => !ids.includes(id))),
      refused: changed(now.refused, destination, (others) => [...others, ...refused]),
    });
  },
});

const announcingAgain = (destination: string): Part => ({
  isDue: ({ refused }) => destination in refused,
  async perform(deps, { subject, refused: { [destination]: ids = [] } }) {
    await send(deps, { subject, destination, ids, each: true });
    return (now) => ({ refused: changed(now.refused, destination, (left) => left.filter((id) => !ids.includes(id))) });
  },
});

const send = (deps: ActivityDeps, input: Parameters<typeof announce>[1]): Promise<Announced> =>
  quietEnvironment().run(announce, deps, input);
